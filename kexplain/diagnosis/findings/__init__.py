"""Every statement that a finding can make, by subject: what each is about, and the only words for it."""
