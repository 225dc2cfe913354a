"""Recording what any cluster makes of scenarios, by its API alone.

This writes to a cluster, which nothing in kexplain does; it is for clusters that are made for it and thrown away.
"""
