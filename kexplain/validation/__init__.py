"""Would an API server take a manifest? Everything that it would find wrong, with the fields that it would name.

Source: kube-apiserver 1.36, strict decoding and a new object: the create strategy of each kind in `kinds.CHECKS` and
all validation that it calls, and the default admission plugins NamespaceLifecycle, LimitRanger, Priority, RuntimeClass,
ServiceAccount, ResourceQuota and PodSecurity. Not asked: webhooks and policies of a cluster, updates of what is there
already. Not known: which addresses and address families a cluster has for services, and what a CEL expression
may cost.
"""
