"""The steward: what people do on a forge becomes deeds of the game, and what became of it is told them there.

One pass reads what is new (``events``), decides what each event asks for (``deciding``), carries it out in a scratch
clone (``table``, in a worker), resolves what the law lets be resolved, pushes once, and reports (``report``,
``telling``). It may crash anywhere, run twice or late: which events were used stands in the deeds' evidence, what was
answered in the steward's own comments.

It knows no forge: ``seen`` is what any forge shows, ``said`` what is said there, and ``passing.Forge`` what one must do.
Not here: requests (forge), and what a deed does (physics).

Public: ``passing.Steward``, ``passing.Passed``, ``passing.Forge``, ``seen.Comment``, ``said.Say``, ``table.Table``.
"""
