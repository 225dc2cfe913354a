"""What is wrong with manifests before anybody applies them: refused, not schedulable, or probably mistaken."""
