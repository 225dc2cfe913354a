"""Reports about more than one decision: listings, and what differs between two of them."""
