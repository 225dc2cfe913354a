"""What `kexplain lint` found, a module a format; each has `render(report, view)`."""
