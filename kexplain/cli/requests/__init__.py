"""What each command can be asked for: a module a command, whose `Request` is made of groups of flags, or of flags.

The docstring of a request is the help of its command, with its examples, `panel` is that of flags
without a group, and `reports` is the kind of report that it prints. `kexplain.cli.commands` has the module of the same
name that answers it with `run`.
"""
