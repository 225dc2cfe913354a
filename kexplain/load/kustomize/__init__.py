"""What kustomizations come to, with the place that each value was written at.

Source: kustomize `api/internal/target` and `api/internal/builtins`, 5.x. Names of generated ConfigMaps and Secrets have
no hash behind them. What is not built, such as remote bases, Helm charts and plugins, is noted.
"""
