"""What an API server says of a pod that it refuses, and what a controller says that may not make its pods.

Source: the admission plugins of kube-apiserver (ResourceQuota, LimitRanger, ServiceAccount, Priority, PodNodeSelector,
PodTolerationRestriction, RuntimeClass, PodSecurity and its predecessor), webhooks and policies; OpenShift's
SecurityContextConstraint; `RealPodControl` and `StatefulPodControl`.
"""

from kexplain.messages.text import Text, worded

API_SERVER = "kube-apiserver"
_QUOTA, _LIMITS = f"ResourceQuota ({API_SERVER})", f"LimitRanger ({API_SERVER})"
_ACCOUNT, _SECURITY = f"ServiceAccount ({API_SERVER})", f"PodSecurity ({API_SERVER})"
_WEBHOOK, _POLICY = f"webhook ({API_SERVER})", f"ValidatingAdmissionPolicy ({API_SERVER})"
_LIMIT_RANGES = "kubectl describe limitranges, in the pod's namespace"
_LABELS = "see the labels pod-security.kubernetes.io/… of the namespace"
_WHERE_WEBHOOK = "kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations; look at the pods behind it"

# Tables, a text a row, as compact as they read.
# fmt: off

#: Why a pod is refused.
REFUSALS: tuple[Text, ...] = (
    Text("exceeded quota: <quota>, requested: <asked>, used: <taken>, limited: <most>", _QUOTA, "quota {quota} of the "
         "namespace would be exceeded: {asked} on top of {taken}, where {most} is the most",
         "kubectl describe quota; request less, free some, or raise it"),
    Text("exceeded quota: <quota>", _QUOTA, "quota {quota} of the namespace would be exceeded",
         "kubectl describe quota; request less, free some, or raise it"),
    Text("failed quota: <quota>: must specify <resources>", _QUOTA, "quota {quota} counts {resources}, so every "
         "container must state them", "set {resources} in the pod, or a default in a LimitRange"),
    Text("insufficient quota to match these scopes: <scopes>", _QUOTA, "such pods need a quota of scopes {scopes}, and "
         "the namespace has none", "kubectl describe quota"),
    Text("insufficient quota to consume: <resources>", _QUOTA, "the namespace may have {resources} only by a quota, "
         "and no quota grants it", "kubectl describe quota"),
    Text("status unknown for quota: <quota>, resources: <resources>", _QUOTA, "what quota {quota} has used is not "
         "known yet", "wait a moment; otherwise look at kube-controller-manager"),
    Text("resource quota evaluation timed out", _QUOTA, "the quota was not checked in time", "try again; the API "
         "server is overloaded if it stays"),
    Text("minimum <resource> usage per <kind> is <least>. <fault>", _LIMITS, "a LimitRange wants at least {least} "
         "{resource} per {kind}: {fault}", _LIMIT_RANGES),
    Text("minimum <resource> usage per <kind> is <least>, but <what> is <asked>", _LIMITS, "a LimitRange wants at "
         "least {least} {resource} per {kind}, and the {what} is {asked}", _LIMIT_RANGES),
    Text("maximum <resource> usage per <kind> is <most>. <fault>", _LIMITS, "a LimitRange allows {most} {resource} per "
         "{kind}: {fault}", _LIMIT_RANGES),
    Text("maximum <resource> usage per <kind> is <most>, but <what> is <asked>", _LIMITS, "a LimitRange allows {most} "
         "{resource} per {kind}, and the {what} is {asked}", _LIMIT_RANGES),
    Text("<resource> max limit to request ratio per <kind> is <most>, but <fault>", _LIMITS, "a LimitRange allows a "
         "limit of {resource} of {most} times the request per {kind}, but {fault}", _LIMIT_RANGES),
    Text("violates PodSecurity <level>: <faults>", _SECURITY, "the namespace enforces {level}, and the pod has "
         "{faults}", f"change the pod's securityContext; {_LABELS}"),
    Text("violates PodSecurity <level>", _SECURITY, "the namespace enforces {level}, and the pod does not keep to it",
         f"change the pod's securityContext; {_LABELS}"),
    Text("unable to validate against any security context constraint: <faults>", f"SCC ({API_SERVER})", "no "
         "SecurityContextConstraint that the service account may use allows the pod: {faults}",
         "oc adm policy who-can use scc; change the pod's securityContext or grant one to its service account"),
    *worded(("unable to validate against any pod security policy: <faults>",
         "PodSecurityPolicy: unable to <act> pod: <faults>"), f"PodSecurityPolicy ({API_SERVER})", "no "
         "PodSecurityPolicy that the service account may use allows the pod: {faults}", "kubectl get psp"),
    Text('error looking up service account <account>: serviceaccount "<name>" not found', _ACCOUNT, "the pod's service "
         "account {account} does not exist", "kubectl get serviceaccounts; create it, or correct serviceAccountName"),
    Text("error looking up service account <account>: <fault>", _ACCOUNT, "the pod's service account {account} cannot "
         "be read: {fault}", "kubectl get serviceaccounts"),
    Text("no service account specified for pod <pod>", _ACCOUNT, "the pod names no service account, and there is no "
         "default one", "kubectl get serviceaccounts"),
    Text("no API token found for service account <account>, retry after the token is automatically created and added "
         "to the service account", _ACCOUNT, "service account {account} has no token yet", "look at "
         "kube-controller-manager, which makes it"),
    Text("no PriorityClass with name <name> was found", f"Priority ({API_SERVER})", "PriorityClass {name} does not "
         "exist", "kubectl get priorityclasses"),
    Text("the integer value of priority (<have>) must not be provided in pod spec; priority admission controller "
         "computed <want> from the given PriorityClass name", f"Priority ({API_SERVER})", "the pod states priority "
         "{have}, and its class gives {want}", "leave out spec.priority"),
    *worded(('pod rejected: RuntimeClass "<name>" not found', 'RuntimeClass "<name>" not found'),
         f"RuntimeClass ({API_SERVER})", "RuntimeClass {name} does not exist", "kubectl get runtimeclasses"),
    Text("pod rejected: <fault>", f"RuntimeClass ({API_SERVER})", "the pod contradicts its RuntimeClass: {fault}",
         "kubectl get runtimeclasses -o yaml"),
    Text("pod node label selector <fault>", f"PodNodeSelector ({API_SERVER})", "the pod's nodeSelector contradicts "
         "that of its namespace", "see the annotation scheduler.alpha.kubernetes.io/node-selector of the namespace"),
    Text("pod tolerations (possibly merged with namespace default tolerations) conflict with its <scope> whitelist",
         f"PodTolerationRestriction ({API_SERVER})", "the pod tolerates more than its namespace may", "see the "
         "annotation scheduler.alpha.kubernetes.io/tolerationsWhitelist of the namespace"),
    Text("unable to create new content in namespace <namespace> because it is being terminated",
         f"NamespaceLifecycle ({API_SERVER})", "namespace {namespace} is being deleted", "kubectl get namespace -o "
         "yaml says what holds it back"),
    Text('User "<user>" cannot <act> resource "<what>" in API group "<group_of>" in the namespace "<namespace>"<hint>',
         f"authorizer ({API_SERVER})", "{user} may not {act} {what} in {namespace}", "kubectl auth can-i {act} {what} "
         "--as={user} -n {namespace}"),
    Text('User "<user>" cannot <act> resource "<what>" <scope>', f"authorizer ({API_SERVER})", "{user} may not {act} "
         "{what} {scope}", "kubectl auth can-i {act} {what} --as={user}"),
    Text('admission webhook "<name>" denied the request: <fault>', _WEBHOOK, "webhook {name} refuses it: {fault}",
         "change the pod, or what makes it, as the webhook asks"),
    Text('admission webhook "<name>" denied the request without explanation', _WEBHOOK, "webhook {name} refuses it and "
         "does not say why", _WHERE_WEBHOOK),
    *worded(('Internal error occurred: failed calling webhook "<name>": <fault>',
         'Internal error occurred: failed calling admission webhook "<name>": <fault>',
         'failed calling webhook "<name>": <fault>'), _WEBHOOK, "webhook {name} did not answer, and nothing is let in "
         "without it (failurePolicy: Fail): {fault}", _WHERE_WEBHOOK),
    Text('Internal error occurred: admission webhook "<name>" <fault>', _WEBHOOK, "webhook {name} answered in a way "
         "that cannot be used: {fault}", _WHERE_WEBHOOK),
    Text("ValidatingAdmissionPolicy '<name>' with binding '<binding>' denied request: <fault>", _POLICY, "policy "
         "{name} refuses it: {fault}", "kubectl get validatingadmissionpolicy {name} -o yaml"),
    Text('namespaces "<name>" not found', API_SERVER, "namespace {name} does not exist", "kubectl get namespaces"),
    Text('failed to create resource: <cause>', API_SERVER, "the object could not be made"),
)

#: Who is refused, and what.
ADMISSION_TEXTS: tuple[Text, ...] = (
    Text('<objects> "<name>" is forbidden: <cause>', API_SERVER, "the API server refuses {objects} {name}"),
    *worded(('The <objects> "<name>" is invalid: <fault>', '<objects> "<name>" is invalid: <fault>'), API_SERVER, "the "
         "API server finds {objects} {name} wrong: {fault}", "kexplain lint FILE says where"),
    Text("Error creating: <cause>", API_SERVER, "the controller cannot make the pods of this workload"),
    Text("Error creating job: <cause>", API_SERVER, "the controller cannot make the job of this CronJob"),
    Text("create Pod <pod> in StatefulSet <workload> failed error: <cause>", API_SERVER, "the controller cannot make "
         "{pod}"),
    Text("create Claim <claim> for Pod <pod> in StatefulSet <workload> failed error: <cause>", API_SERVER, "the "
         "controller cannot make claim {claim}, which {pod} needs"),
    Text("Error from server (<reason>): error when creating \"<file>\": <cause>", API_SERVER, "what {file} holds is "
         "refused"),
    Text("Error from server (<reason>): <cause>", API_SERVER, "the request is refused"),
    Text("Error from server: error when creating \"<file>\": <cause>", API_SERVER, "what {file} holds is refused"),
    *REFUSALS,
)
