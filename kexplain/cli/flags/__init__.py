"""Flags by panel of the help: each record is a group of flags as they were given, and knows what it becomes.

A field is an option or an argument, declared once: its annotation holds the declaration, and is read while the program
runs (these modules do without postponed annotations). Nothing of the engine is imported until a flag becomes something.
"""
