"""What the kubelet and others have written about a pod that has a node, or is about to get one, and does not run.

Here ends what a scheduler decides: what is written is told, with the next thing to look at.
"""
