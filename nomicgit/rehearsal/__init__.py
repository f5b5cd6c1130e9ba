"""Rehearsal: scenarios, played in scratch games without Git, which keep every secret themselves.

Public: ``rehearsal.rehearse``, ``rehearsal.Rehearsal``, ``fate.Rehearsed``, ``expecting.looked_up``, ``scenarios.check_form``.
"""
