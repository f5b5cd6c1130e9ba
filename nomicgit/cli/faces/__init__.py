"""The faces of commands: name, options and help, one module a section of ``nomicgit --help``.

A face loads nothing but click; it names its body, which is imported when the command runs.
"""
