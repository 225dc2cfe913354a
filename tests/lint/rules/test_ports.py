"""Slips between the objects of two trees: in names, kinds, ports, labels and selectors."""

from __future__ import annotations

import pytest

from tests.lint.linting import linted

SHOP = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: shop-api, namespace: shop}
spec:
  replicas: 3
  selector: {matchLabels: {app.kubernetes.io/name: shop-api}}
  template:
    metadata: {labels: {app.kubernetes.io/name: shop-api}}
    spec:
      serviceAccountName: shop-api
      affinity:
        podAntiAffinity:
          preferredDuringSchedulingIgnoredDuringExecution:
            - weight: 10
              podAffinityTerm:
                topologyKey: kubernetes.io/hostname
                labelSelector: {matchLabels: {app.kubernetes.io/name: shop-api}}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: topology.kubernetes.io/zone
          whenUnsatisfiable: ScheduleAnyway
          labelSelector: {matchLabels: {app.kubernetes.io/name: shop-api}}
      containers:
        - name: api
          image: registry.example.com/shop-api:1.4.2
          ports: [{name: http, containerPort: 8080}, {name: metrics, containerPort: 9102}]
          envFrom: [{configMapRef: {name: shop-settings}}]
          readinessProbe: {httpGet: {path: /ready, port: http}}
          livenessProbe: {tcpSocket: {port: http}}
          resources: {requests: {cpu: 250m, memory: 256Mi}}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: shop-api, namespace: shop}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: shop-settings, namespace: shop}
data: {LOG_LEVEL: info}
---
apiVersion: v1
kind: Service
metadata: {name: shop-api, namespace: shop}
spec:
  selector: {app.kubernetes.io/name: shop-api}
  ports: [{name: web, port: 80, targetPort: http}, {name: metrics, port: 9102, targetPort: 9102}]
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: shop, namespace: shop}
spec:
  tls: [{hosts: [shop.example.com], secretName: shop-cert}]
  rules:
    - host: shop.example.com
      http:
        paths:
          - {path: /, pathType: Prefix, backend: {service: {name: shop-api, port: {number: 80}}}}
          - {path: /metrics, pathType: Exact, backend: {service: {name: shop-api, port: {name: metrics}}}}
---
apiVersion: v1
kind: Secret
metadata: {name: shop-cert, namespace: shop}
type: Opaque
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: shop-api, namespace: shop}
spec:
  maxUnavailable: 1
  selector: {matchLabels: {app.kubernetes.io/name: shop-api}}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: shop-api, namespace: shop}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: shop-api}
  minReplicas: 3
  maxReplicas: 10
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: shop-api, namespace: shop}
spec:
  podSelector: {matchLabels: {app.kubernetes.io/name: shop-api}}
  ingress: [{ports: [{port: 8080}]}]
"""
STORE = """
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: orders-db}
spec:
  serviceName: orders-db
  replicas: 3
  selector: {matchLabels: {app: orders, tier: db}}
  template:
    metadata: {labels: {app: orders, tier: db}}
    spec:
      nodeSelector: {kubernetes.io/os: linux, node.kubernetes.io/instance-type: m5.xlarge}
      affinity:
        podAntiAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            - topologyKey: kubernetes.io/hostname
              labelSelector:
                matchExpressions: [{key: app, operator: In, values: [orders]}, {key: tier, operator: In, values: [db]}]
      containers:
        - name: db
          image: postgres:16.3
          ports: [{name: postgres, containerPort: 5432}]
          env:
            - name: POSTGRES_PASSWORD
              valueFrom: {secretKeyRef: {name: orders-db-login, key: password}}
          startupProbe: {tcpSocket: {port: postgres}}
          resources: {requests: {cpu: "1", memory: 2Gi}}
---
apiVersion: v1
kind: Secret
metadata: {name: orders-db-login}
type: Opaque
---
apiVersion: v1
kind: Service
metadata: {name: orders-db}
spec:
  clusterIP: None
  selector: {app: orders, tier: db}
  ports: [{name: postgres, port: 5432, targetPort: 5432}]
---
apiVersion: autoscaling.k8s.io/v1
kind: VerticalPodAutoscaler
metadata: {name: orders-db}
spec:
  targetRef: {apiVersion: apps/v1, kind: StatefulSet, name: orders-db}
  updatePolicy: {updateMode: "Off"}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: orders}
spec:
  replicas: 2
  selector: {matchLabels: {app: orders, tier: api}}
  template:
    metadata: {labels: {app: orders, tier: api}}
    spec:
      containers:
        - name: api
          image: registry.example.com/orders:2.0.1
          ports: [{name: grpc, containerPort: 9090}]
          lifecycle: {preStop: {httpGet: {path: /drain, port: grpc}}}
          resources: {requests: {cpu: 200m, memory: 128Mi}}
---
apiVersion: v1
kind: Service
metadata: {name: orders}
spec:
  selector: {app: orders, tier: api}
  ports: [{name: grpc, port: 9090, targetPort: grpc}]
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: orders}
spec:
  parentRefs: [{name: public}]
  rules:
    - backendRefs: [{name: orders, port: 9090}]
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: public}
spec: {gatewayClassName: any, listeners: [{name: web, port: 80, protocol: HTTP}]}
"""
#: What stands there, what is written instead, and the rule that finds it.
SHOP_SLIPS = (
    ("targetPort: http}", "targetPort: htpp}", "missing-port"),
    ("targetPort: 9102", "targetPort: 9120", "missing-port"),
    ("path: /ready, port: http", "path: /ready, port: web", "missing-port"),
    ("tcpSocket: {port: http", "tcpSocket: {port: htttp", "missing-port"),
    ("name: shop-api, port: {number: 80}", "name: shop-api, port: {number: 8080}", "missing-port"),
    ("port: {name: metrics}", "port: {name: metric}", "missing-port"),
    ("service: {name: shop-api, port: {number", "service: {name: shopapi, port: {number", "misspelt-name"),
    ("secretName: shop-cert", "secretName: shop-certs", "misspelt-name"),
    ("kind: Deployment, name", "kind: StatefulSet, name", "misspelt-name"),
    ("name: shop-api}\n  minR", "name: shop-apu}\n  minR", "misspelt-name"),
    (
        "maxUnavailable: 1\n  selector: {matchLabels: {app.kubernetes.io/name: shop-api",
        "shop-apis",
        "selector-misses-pods",
    ),
    ("podSelector: {matchLabels: {app.kubernetes.io/name: shop-api", "shpo-api", "selector-misses-pods"),
    (
        "hostname\n                labelSelector: {matchLabels: {app.kubernetes.io/name: shop-api",
        "shop-pai",
        "selector-misses-pods",
    ),
    ("topology.kubernetes.io/zone", "topology.kubernetes.io/zones", "misspelt-node-label"),
    ("topologyKey: kubernetes.io/hostname", "topologyKey: kubernetes.io/hostnam", "misspelt-node-label"),
)
STORE_SLIPS = (
    ("values: [orders]", "values: [oders]", "selector-misses-pods"),
    ("node.kubernetes.io/instance-type", "node.kubernetes.io/instancetype", "misspelt-node-label"),
    ("tcpSocket: {port: postgres", "tcpSocket: {port: postgre", "missing-port"),
    ("kind: StatefulSet, name: orders-db", "kind: StatefulSet, name: order-db", "misspelt-name"),
    ("preStop: {httpGet: {path: /drain, port: grpc", "preStop: {httpGet: {path: /drain, port: gprc", "missing-port"),
    ("targetPort: grpc", "targetPort: gprc", "missing-port"),
    ("{name: orders, port: 9090}", "{name: orders, port: 9091}", "missing-port"),
    ("{name: orders, port: 9090}", "{name: ordres, port: 9090}", "misspelt-name"),
    ("parentRefs: [{name: public}]", "parentRefs: [{name: publik}]", "misspelt-name"),
    ("  selector: {app: orders, tier: api}", "  selector: {app: orders, tier: apii}", "service-selects-nothing"),
)
SLIPS = [*((SHOP, *each) for each in SHOP_SLIPS), *((STORE, *each) for each in STORE_SLIPS)]


@pytest.mark.parametrize("tree", [SHOP, STORE])
def test_a_tree_without_slips(tree: str) -> None:
    assert linted(tree).findings == ()


@pytest.mark.parametrize(("tree", "right", "wrong", "rule"), SLIPS, ids=[each[2] for each in SLIPS])
def test_slips_between_objects(tree: str, right: str, wrong: str, rule: str) -> None:
    assert tree.count(right) == 1
    # Where only the last word is wrong, that alone is given.
    wrong = wrong if " " in wrong or "/" in wrong else f"{right.rpartition(' ')[0]} {wrong}"
    found = linted(tree.replace(right, wrong)).findings
    assert [each.rule for each in found] == [rule]
    assert "did you mean" in found[0].message or "there is" in found[0].message or "is" in found[0].message
    lines = tree.replace(right, wrong).split("\n")
    assert lines[found[0].line - 1] not in tree.split("\n")
