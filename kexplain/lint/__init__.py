"""What is wrong with manifests before anybody applies them: refused, not to be placed, or not what was meant."""
