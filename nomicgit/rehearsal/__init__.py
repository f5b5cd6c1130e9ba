"""Rehearsal: scenarios, played in scratch games without Git, which keep every secret themselves.

Public: ``rehearsal.rehearse``, ``rehearsal.Rehearsal``, ``expecting.looked_up``, ``scenarios.check_form``.
"""
