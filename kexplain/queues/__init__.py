"""What queues and schedulers of other projects have written about a pod: whether they hold it back, and why.

Nothing of them is simulated. Their objects are read as they are written, and what is missing in them is not guessed.
"""
