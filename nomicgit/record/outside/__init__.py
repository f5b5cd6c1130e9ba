"""The program's own deeds, outside the law: restore and mend, the settings, keys; by those whom the settings name.

Not here: carrying a mend out (``clones.remedy``), and the deeds of games with keys (``record.secret``).
"""
