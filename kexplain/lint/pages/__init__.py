"""The pages of the rules, one each."""
