"""The command line: parse, load, call, render, exit."""

#: What a run ends with that does not answer its question; those that do end with 0 or 1.
EXIT_USAGE = 2
EXIT_CLUSTER = 3
EXIT_BUG = 70
#: What shells make of a process that an interrupt has ended.
EXIT_INTERRUPTED = 130
EXIT_PIPE_CLOSED = 141
