"""Why no devices can be allocated."""


class AllocationError(Exception):
    """Something is wrong with the claims or classes, on whatever node; upstream's text."""


class NodeAllocationError(AllocationError):
    """The node's pools are faulty; other nodes may do."""


class SearchTimeoutError(AllocationError):
    """The search on a node took too many steps."""
