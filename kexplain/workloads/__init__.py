"""What controllers make of workloads: pods that come and go, one by one as an API server takes them."""
