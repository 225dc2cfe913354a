"""What schedulers and autoscalers say of a pod: every text that is known, what it means, and how a message is put
together from them.
"""
