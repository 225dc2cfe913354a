"""CEL: selectors of devices, and the expressions of policies, webhooks and definitions."""
