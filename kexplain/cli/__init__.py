"""The command line: parse, load, call, render, exit."""
