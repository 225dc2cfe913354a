"""KubeSchedulerConfiguration: every version of it, from its text to the scheduler it describes."""
