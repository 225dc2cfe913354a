"""The one command that gets all that scheduling reads of a cluster."""

COMMAND = (
    "kubectl get nodes,pods,events,namespaces,serviceaccounts,priorityclasses,runtimeclasses,limitranges,"
    "resourcequotas,poddisruptionbudgets,services,replicationcontrollers,replicasets,deployments,"
    "statefulsets,daemonsets,jobs,cronjobs,horizontalpodautoscalers,pvc,pv,storageclasses,csinodes,csidrivers,"
    "csistoragecapacities,volumeattachments -A -o json > cluster.json"
)
