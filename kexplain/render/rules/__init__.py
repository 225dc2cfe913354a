"""The rules of `kexplain lint`, a module a format; each has `render(listing, view)`."""
