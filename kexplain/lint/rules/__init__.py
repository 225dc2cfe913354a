"""The rules by what they look at; `registry` has all of them."""
