"""The manual beyond the commands: a page of section 7 for each topic, written in Markdown."""
