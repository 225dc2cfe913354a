"""Allocating devices to claims. Source: `dynamic-resource-allocation`, the allocator that release and gates choose."""
