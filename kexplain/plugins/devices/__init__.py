"""Allocating devices to claims. Source: `dynamic-resource-allocation`, the allocator that 1.36's gates choose."""
