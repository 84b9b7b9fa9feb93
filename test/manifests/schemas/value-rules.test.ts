import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { schemaProblems } from '../../../src/manifests/schemas/check-schemas.js';
import { objectsOf } from '../../assets/manifests/given.js';

const cluster = {
  version: { major: 4, minor: 22, text: '4.22' },
  isOkd: false,
  featureSet: '',
  isMerged: false,
};

function found(text: string): readonly string[] {
  return schemaProblems(objectsOf(text), cluster).map(({ message }) => message);
}

// kube-apiserver 1.36 refuses each of these objects.
it.each<[apiVersion: string, kind: string, rest: string, messages: readonly string[]]>([
  [
    'rbac.authorization.k8s.io/v1',
    'ClusterRoleBinding',
    'roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: view}\nsubjects: [{kind: Group, name: a}]',
    ['roleRef.kind must be ClusterRole, not "Role"'],
  ],
  [
    'batch/v1',
    'CronJob',
    "spec: {schedule: 'hourly', jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: b, image: c}]}}}}}",
    [
      'spec.schedule must be a schedule of five fields such as "0 3 * * *", or one such as "@daily", not "hourly"',
    ],
  ],
  [
    'batch/v1',
    'CronJob',
    "spec: {schedule: '61 * * * *', jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: b, image: c}]}}}}}",
    [
      'spec.schedule must be a schedule of five fields such as "0 3 * * *", or one such as "@daily", not "61 * * * *"',
    ],
  ],
  [
    'batch/v1',
    'CronJob',
    "spec: {schedule: '1 * * * *', jobTemplate: {spec: {template: {spec: {restartPolicy: Always, containers: [{name: b, image: c}]}}}}}",
    ['spec.jobTemplate.spec.template.spec.restartPolicy must be OnFailure or Never, not "Always"'],
  ],
  [
    'apps/v1',
    'Deployment',
    "spec: {selector: {matchLabels: {app: a}}, template: {metadata: {labels: {app: a}}, spec: {containers: [{name: My_App, image: 'registry.example.com/a:1'}]}}}",
    [
      'spec.template.spec.containers[0].name must be at most 63 lower-case letters, digits and "-" with a letter or digit at both ends, not "My_App"',
    ],
  ],
  [
    'apps/v1',
    'Deployment',
    "spec: {selector: {matchLabels: {app: a}}, template: {metadata: {labels: {app: a}}, spec: {containers: [{name: app, image: 'a:1'}, {name: app, image: 'b:1'}]}}}",
    ['spec.template.spec.containers[1].name has the same name as spec.template.spec.containers[0]'],
  ],
  [
    'apps/v1',
    'Deployment',
    "spec: {selector: {matchLabels: {app: a}}, template: {metadata: {labels: {app: a}}, spec: {containers: [{name: app, image: 'a:1'}], volumes: [{name: conf, emptyDir: {}}, {name: conf, configMap: {name: x}}]}}}",
    ['spec.template.spec.volumes[1].name has the same name as spec.template.spec.volumes[0]'],
  ],
  [
    'apps/v1',
    'Deployment',
    "spec: {selector: {matchLabels: {app: a}}, template: {metadata: {labels: {app: a}}, spec: {containers: [{name: app, image: 'a:1', env: [{name: A, value: b, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]}]}}}",
    ['spec.template.spec.containers[0].env[0].valueFrom contradicts value'],
  ],
  [
    'apps/v1',
    'Deployment',
    "spec: {selector: {matchLabels: {app: a}}, template: {metadata: {labels: {app: a}}, spec: {containers: [{name: app, image: 'a:1', env: [{name: '', value: b}]}]}}}",
    ['spec.template.spec.containers[0].env[0].name is empty'],
  ],
  [
    'apps/v1',
    'Deployment',
    "spec: {selector: {matchLabels: {app: a}}, template: {metadata: {labels: {app: a}}, spec: {containers: [{name: app, image: 'a:1', volumeMounts: [{name: c, mountPath: /a}, {name: c, mountPath: /a}]}], volumes: [{name: c, emptyDir: {}}]}}}",
    [
      'spec.template.spec.containers[0].volumeMounts[1].mountPath has the same mountPath as spec.template.spec.containers[0].volumeMounts[0]',
    ],
  ],
  [
    'apps/v1',
    'Deployment',
    "spec: {selector: {matchLabels: {app: a}}, template: {metadata: {labels: {app: a}}, spec: {containers: [{name: app, image: 'a:1', volumeMounts: [{name: config, mountPath: /etc/app}]}], volumes: [{name: conf, emptyDir: {}}]}}}",
    ['spec.template.spec.containers[0].volumeMounts[0].name names no volume of the pod'],
  ],
  [
    'apps/v1',
    'Deployment',
    "spec: {selector: {matchLabels: {app: a}}, template: {metadata: {labels: {app: a}}, spec: {containers: [{name: app, image: 'a:1', ports: [{containerPort: 80, name: metrics_endpoint_long_name}]}]}}}",
    [
      'spec.template.spec.containers[0].ports[0].name must be at most 15 lower-case letters, digits and "-" with at least one letter, not "metrics_endpoint_long_name"',
    ],
  ],
  [
    'apps/v1',
    'Deployment',
    "spec: {selector: {matchLabels: {app: a}}, template: {metadata: {labels: {app: a}}, spec: {containers: [{name: app, image: 'a:1', ports: [{containerPort: 70000}]}]}}}",
    ['spec.template.spec.containers[0].ports[0].containerPort must be between 1 and 65535, not 70000'],
  ],
  [
    'apps/v1',
    'Deployment',
    "spec: {selector: {matchLabels: {app: a}}, template: {metadata: {labels: {app: a}}, spec: {containers: [{name: app, image: 'a:1', ports: [{containerPort: 0}]}]}}}",
    ['spec.template.spec.containers[0].ports[0].containerPort must be between 1 and 65535, not 0'],
  ],
  [
    'apps/v1',
    'Deployment',
    "spec: {selector: {matchLabels: {app: a}}, template: {metadata: {labels: {app: a}}, spec: {containers: [{name: app, image: 'a:1', livenessProbe: {periodSeconds: 5}}]}}}",
    [
      'spec.template.spec.containers[0].livenessProbe.exec is missing: one of exec, httpGet, tcpSocket, grpc is needed',
    ],
  ],
  [
    'apps/v1',
    'Deployment',
    "spec: {selector: {matchLabels: {app: a}}, template: {metadata: {labels: {app: a}}, spec: {containers: [{name: app, image: 'a:1', livenessProbe: {successThreshold: 2, tcpSocket: {port: 80}}}]}}}",
    ['spec.template.spec.containers[0].livenessProbe.successThreshold must be between 0 and 1, not 2'],
  ],
  [
    'apps/v1',
    'Deployment',
    "spec: {selector: {matchLabels: {app: a}}, template: {metadata: {labels: {app: a}}, spec: {containers: [{name: app, image: 'a:1', livenessProbe: {httpGet: {port: 80}, tcpSocket: {port: 80}}}]}}}",
    ['spec.template.spec.containers[0].livenessProbe.tcpSocket contradicts httpGet'],
  ],
  [
    'apps/v1',
    'Deployment',
    "spec: {selector: {matchLabels: {app: a}}, replicas: -1, template: {metadata: {labels: {app: a}}, spec: {containers: [{name: app, image: 'a:1'}]}}}",
    ['spec.replicas must be at least 0, not -1'],
  ],
  [
    'apps/v1',
    'Deployment',
    "spec: {selector: {matchLabels: {app: a}}, template: {metadata: {labels: {app: a}}, spec: {containers: [{name: app, image: 'a:1', resources: {requests: {cpu: 2}, limits: {cpu: 1}}}]}}}",
    ['spec.template.spec.containers[0].resources.requests.cpu must be at most the limit'],
  ],
  [
    'apps/v1',
    'Deployment',
    "spec: {selector: {matchLabels: {app: a}}, template: {metadata: {labels: {app: a}}, spec: {restartPolicy: OnFailure, containers: [{name: app, image: 'a:1'}]}}}",
    ['spec.template.spec.restartPolicy must be Always, not "OnFailure"'],
  ],
  [
    'apps/v1',
    'Deployment',
    "spec: {selector: {matchLabels: {app: a}}, strategy: {type: Recreate, rollingUpdate: {maxSurge: 1}}, template: {metadata: {labels: {app: a}}, spec: {containers: [{name: app, image: 'a:1'}]}}}",
    ['spec.strategy.rollingUpdate must not be set with the type Recreate'],
  ],
  [
    'apps/v1',
    'Deployment',
    "spec: {selector: {matchLabels: {app: a}}, template: {metadata: {labels: {app: a}}, spec: {containers: [{name: app, image: 'a:1'}], volumes: [{name: conf, emptyDir: {}, configMap: {name: x}}]}}}",
    ['spec.template.spec.volumes[0].configMap contradicts emptyDir'],
  ],
  [
    'apps/v1',
    'Deployment',
    "spec: {selector: {matchLabels: {app: a}}, template: {metadata: {labels: {app: a}}, spec: {containers: [{name: app, image: 'a:1'}], volumes: [{name: conf_d, emptyDir: {}}]}}}",
    [
      'spec.template.spec.volumes[0].name must be at most 63 lower-case letters, digits and "-" with a letter or digit at both ends, not "conf_d"',
    ],
  ],
  [
    'apps/v1',
    'DaemonSet',
    "spec: {selector: {matchLabels: {app: a}}, template: {metadata: {labels: {app: a}}, spec: {hostNetwork: true, containers: [{name: app, image: 'a:1', ports: [{containerPort: 80, hostPort: 81}]}]}}}",
    [
      'spec.template.spec.containers[0].ports[0].hostPort must be equal to containerPort, because the pod has hostNetwork',
    ],
  ],
  [
    'apps/v1',
    'DaemonSet',
    "spec: {selector: {matchLabels: {app: a}}, updateStrategy: {type: RollingUpdate, rollingUpdate: {maxUnavailable: 0, maxSurge: 0}}, template: {metadata: {labels: {app: a}}, spec: {containers: [{name: app, image: 'a:1'}]}}}",
    ['spec.updateStrategy.rollingUpdate.maxUnavailable must not be 0 if maxSurge is 0'],
  ],
  [
    'apps/v1',
    'DaemonSet',
    "spec: {selector: {matchLabels: {app: a}}, template: {metadata: {labels: {app: a}}, spec: {tolerations: [{key: a, operator: Exists, value: b}], containers: [{name: app, image: 'a:1'}]}}}",
    ['spec.template.spec.tolerations[0].value must not be set with the operator Exists'],
  ],
  [
    'autoscaling/v2',
    'HorizontalPodAutoscaler',
    'spec: {minReplicas: 3, maxReplicas: 2, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: a}}',
    ['spec.maxReplicas must be at least minReplicas 3'],
  ],
  [
    'autoscaling/v2',
    'HorizontalPodAutoscaler',
    'spec: {maxReplicas: 2, scaleTargetRef: {apiVersion: a/b/c, kind: Deployment, name: a}}',
    ['spec.scaleTargetRef.apiVersion must be a group and a version such as "apps/v1", not "a/b/c"'],
  ],
  [
    'networking.k8s.io/v1',
    'Ingress',
    "spec: {rules: [{host: 'A_b', http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: a, port: {number: 80}}}}]}}]}",
    ['spec.rules[0].host must be a host name of lower-case letters, digits, "-" and ".", not "A_b"'],
  ],
  [
    'networking.k8s.io/v1',
    'Ingress',
    "spec: {rules: [{host: 'a.b', http: {paths: [{path: x, pathType: Prefix, backend: {service: {name: a, port: {number: 80}}}}]}}]}",
    ['spec.rules[0].http.paths[0].path must be a path that starts with "/", not "x"'],
  ],
  [
    'networking.k8s.io/v1',
    'Ingress',
    "spec: {rules: [{host: 'a.b', http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: a, port: {number: 80, name: b}}}}]}}]}",
    ['spec.rules[0].http.paths[0].backend.service.port.number contradicts name'],
  ],
  [
    'v1',
    'LimitRange',
    'spec: {limits: [{type: Container, min: {cpu: 2}, max: {cpu: 1}}]}',
    ['spec.limits[0].min.cpu must be at most the value in max'],
  ],
  [
    'networking.k8s.io/v1',
    'NetworkPolicy',
    'spec: {podSelector: {}, ingress: [{from: [{podSelector: {}, ipBlock: {cidr: 10.0.0.0/8}}]}]}',
    ['spec.ingress[0].from[0].ipBlock must not be combined with a selector'],
  ],
  [
    'networking.k8s.io/v1',
    'NetworkPolicy',
    'spec: {podSelector: {}, ingress: [{from: [{ipBlock: {cidr: 10.0.0.0}}]}]}',
    ['spec.ingress[0].from[0].ipBlock.cidr must be a network such as "192.168.10.0/24", not "10.0.0.0"'],
  ],
  [
    'networking.k8s.io/v1',
    'NetworkPolicy',
    'spec: {podSelector: {}, ingress: [{ports: [{port: 99999}]}]}',
    [
      'spec.ingress[0].ports[0].port must be a port between 1 and 65535, or a name of at most 15 lower-case letters, digits and "-" with at least one letter, not 99999',
    ],
  ],
  [
    'scheduling.k8s.io/v1',
    'PriorityClass',
    'value: 2000000000',
    ['value must be at most 1000000000, not 2000000000'],
  ],
  [
    'scheduling.k8s.io/v1',
    'PriorityClass',
    'metadata: {name: system-mine}\nvalue: 1000',
    ['metadata.name must not start with "system-"'],
  ],
  [
    'policy/v1',
    'PodDisruptionBudget',
    'spec: {minAvailable: 1, maxUnavailable: 1, selector: {matchLabels: {a: b}}}',
    ['spec.maxUnavailable contradicts minAvailable'],
  ],
  [
    'policy/v1',
    'PodDisruptionBudget',
    'spec: {minAvailable: half, selector: {matchLabels: {a: b}}}',
    ['spec.minAvailable must be a whole number or a percentage of at most 100%, not "half"'],
  ],
  [
    'v1',
    'Pod',
    'spec: {activeDeadlineSeconds: 0, containers: [{name: a, image: b}]}',
    ['spec.activeDeadlineSeconds must be between 1 and 2147483647, not 0'],
  ],
  [
    'v1',
    'Pod',
    'spec: {containers: [{name: a, image: b, securityContext: {privileged: true, allowPrivilegeEscalation: false}}]}',
    ['spec.containers[0].securityContext.allowPrivilegeEscalation must not be false with privileged'],
  ],
  [
    'v1',
    'PersistentVolume',
    'spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], local: {path: /a}}',
    ['spec.nodeAffinity is missing: a local volume needs it'],
  ],
  [
    'v1',
    'PersistentVolume',
    'spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], nfs: {server: a, path: b}}',
    ['spec.nfs.path must be a path that starts with "/", not "b"'],
  ],
  [
    'v1',
    'PersistentVolume',
    'spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], hostPath: {path: /a}, nfs: {server: a, path: /b}}',
    ['spec.nfs contradicts hostPath'],
  ],
  [
    'v1',
    'PersistentVolumeClaim',
    'spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 0}}}',
    ['spec.resources.requests.storage must be greater than 0'],
  ],
  [
    'v1',
    'PersistentVolumeClaim',
    'spec: {accessModes: [ReadWriteOncePod, ReadOnlyMany], resources: {requests: {storage: 1Gi}}}',
    ['spec.accessModes must not have other modes next to ReadWriteOncePod'],
  ],
  [
    'v1',
    'ResourceQuota',
    'spec: {hard: {memry: 1Gi}}',
    ['spec.hard.memry is no resource that a quota limits'],
  ],
  ['v1', 'ResourceQuota', 'spec: {hard: {pods: -1}}', ['spec.hard.pods must not be negative']],
  [
    'rbac.authorization.k8s.io/v1',
    'ClusterRoleBinding',
    'roleRef: {apiGroup: v1, kind: ClusterRole, name: view}\nsubjects: [{kind: Group, name: a}]',
    ['roleRef.apiGroup must be rbac.authorization.k8s.io, not "v1"'],
  ],
  [
    'rbac.authorization.k8s.io/v1',
    'RoleBinding',
    'roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRoles, name: view}\nsubjects: [{kind: User, name: a, apiGroup: rbac.authorization.k8s.io}]',
    ['roleRef.kind must be Role or ClusterRole, not "ClusterRoles"'],
  ],
  [
    'rbac.authorization.k8s.io/v1',
    'ClusterRoleBinding',
    'roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}\nsubjects: [{kind: ServiceAccount, name: a, namespace: b, apiGroup: rbac.authorization.k8s.io}]',
    ['subjects[0].apiGroup must be empty for a ServiceAccount'],
  ],
  [
    'rbac.authorization.k8s.io/v1',
    'RoleBinding',
    'roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}\nsubjects: [{kind: Serviceaccount, name: a, namespace: b}]',
    ['subjects[0].kind must be ServiceAccount, User or Group, not "Serviceaccount"'],
  ],
  [
    'storage.k8s.io/v1',
    'StorageClass',
    'provisioner: topolvm.io\nreclaimPolicy: Recycle',
    ['reclaimPolicy must be Delete or Retain, not "Recycle"'],
  ],
  [
    'apps/v1',
    'Deployment',
    'spec: {selector: {matchLabels: {app: a}, matchExpressions: [{key: x, operator: In}]}, template: {metadata: {labels: {app: a}}, spec: {containers: [{name: a, image: b}]}}}',
    ['spec.selector.matchExpressions[0].values is missing: the operator In needs it'],
  ],
  [
    'apps/v1',
    'StatefulSet',
    "spec: {selector: {matchLabels: {app: a}}, template: {metadata: {labels: {app: a}}, spec: {containers: [{name: app, image: 'a:1', volumeMounts: [{name: data, mountPath: /a}]}]}}}",
    ['spec.template.spec.containers[0].volumeMounts[0].name names no volume of the pod'],
  ],
  [
    'v1',
    'Service',
    'spec: {ports: [{port: 70, nodePort: 30080}]}',
    ['spec.ports[0].nodePort must not be set with the type ClusterIP'],
  ],
  [
    'v1',
    'Service',
    'spec: {ports: [{name: a, port: 70}, {name: a, port: 71}]}',
    ['spec.ports[1].name has the same name as spec.ports[0]'],
  ],
  [
    'v1',
    'Service',
    'spec: {type: ExternalName}',
    ['spec.externalName is missing: the type ExternalName needs it'],
  ],
  [
    'v1',
    'Service',
    'spec: {externalIPs: [a], ports: [{port: 70}]}',
    ['spec.externalIPs[0] must be an IP address, not "a"'],
  ],
  [
    'v1',
    'Service',
    'spec: {clusterIP: 10.0.0, ports: [{port: 70}]}',
    ['spec.clusterIP must be an IP address, not "10.0.0"'],
  ],
  [
    'v1',
    'Service',
    'spec: {ports: [{port: 70}, {port: 71}]}',
    [
      'spec.ports[0].name is missing: a Service with several ports names each of them',
      'spec.ports[1].name is missing: a Service with several ports names each of them',
    ],
  ],
  [
    'v1',
    'Service',
    'spec: {ports: [{port: 70000}]}',
    ['spec.ports[0].port must be between 1 and 65535, not 70000'],
  ],
  [
    'v1',
    'Service',
    "spec: {ports: [{port: 70, targetPort: '80'}]}",
    [
      'spec.ports[0].targetPort must be a port between 1 and 65535, or a name of at most 15 lower-case letters, digits and "-" with at least one letter, not "80"',
    ],
  ],
  [
    'admissionregistration.k8s.io/v1',
    'ValidatingWebhookConfiguration',
    'webhooks: [{name: a, clientConfig: {service: {name: a, namespace: b}}, sideEffects: None, admissionReviewVersions: [v1]}]',
    ['webhooks[0].name must be a domain of at least three parts'],
  ],
  [
    'admissionregistration.k8s.io/v1',
    'ValidatingWebhookConfiguration',
    'webhooks: [{name: a.b.c, clientConfig: {url: https://a.b}, sideEffects: Some, admissionReviewVersions: [v1]}]',
    ['webhooks[0].sideEffects must be None or NoneOnDryRun, not "Some"'],
  ],
  [
    'admissionregistration.k8s.io/v1',
    'ValidatingWebhookConfiguration',
    'webhooks: [{name: a.b.c, clientConfig: {url: http://a.b}, sideEffects: None, admissionReviewVersions: [v1]}]',
    ['webhooks[0].clientConfig.url must be an https URL without user, query and fragment, not "http://a.b"'],
  ],
  [
    'v1',
    'Pod',
    'spec: {containers: [{name: a, image: b, securityContext: {runAsUser: -1}}]}',
    ['spec.containers[0].securityContext.runAsUser must be between 0 and 2147483647, not -1'],
  ],
  [
    'apps/v1',
    'StatefulSet',
    'spec: {serviceName: a_b, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: b}]}}}',
    [
      'spec.serviceName must be at most 63 lower-case letters, digits and "-" with a letter or digit at both ends, not "a_b"',
    ],
  ],
  [
    'v1',
    'Pod',
    'spec: {containers: [{name: a, image: b}], volumes: [{name: v, configMap: {}}]}',
    ['spec.volumes[0].configMap.name is missing: the volume contains the data of this ConfigMap'],
  ],
  [
    'rbac.authorization.k8s.io/v1',
    'ClusterRole',
    "rules: [{verbs: [get], apiGroups: [''], resources: [pods], nonResourceURLs: [/a]}]",
    ['rules[0].nonResourceURLs contradicts resources'],
  ],
  [
    'batch/v1',
    'CronJob',
    "spec: {schedule: '0 0 * * 1', concurrencyPolicy: forbid, jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: b, image: c}]}}}}}",
    ['spec.concurrencyPolicy must be Allow, Forbid or Replace, not "forbid"'],
  ],
  [
    'batch/v1',
    'CronJob',
    "spec: {schedule: '@reboot', jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: b, image: c}]}}}}}",
    ['spec.schedule must be a schedule of five fields such as "0 3 * * *", or one such as "@daily", not "…"'],
  ],
  [
    'batch/v1',
    'CronJob',
    "spec: {schedule: '0 0 * * 7', jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: b, image: c}]}}}}}",
    [
      'spec.schedule must be a schedule of five fields such as "0 3 * * *", or one such as "@daily", not "0 0 * * 7"',
    ],
  ],
  [
    'apps/v1',
    'Deployment',
    'spec: {progressDeadlineSeconds: 5, minReadySeconds: 10, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: b}]}}}',
    ['spec.progressDeadlineSeconds must be greater than minReadySeconds'],
  ],
  [
    'apps/v1',
    'Deployment',
    "spec: {selector: {matchLabels: {a: 'b c'}}, template: {metadata: {labels: {a: 'b c'}}, spec: {containers: [{name: a, image: b}]}}}",
    [
      'spec.selector.matchLabels.a must be at most 63 letters, digits, "-", "_" and "." with a letter or digit at both ends, not "b c"',
    ],
  ],
  [
    'apps/v1',
    'Deployment',
    'spec: {strategy: {rollingUpdate: {maxUnavailable: 150%}}, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: b}]}}}',
    [
      'spec.strategy.rollingUpdate.maxUnavailable must be a whole number or a percentage of at most 100%, not "150%"',
    ],
  ],
  [
    'v1',
    'Pod',
    'spec: {dnsPolicy: None, containers: [{name: a, image: b}]}',
    ['spec.dnsConfig.nameservers is missing: dnsPolicy None needs it'],
  ],
  [
    'v1',
    'Pod',
    'spec: {containers: [{name: a, image: b, env: [{name: "A=B", value: x}]}]}',
    ['spec.containers[0].env[0].name must be a name of printable ASCII characters except "=", not "A=B"'],
  ],
  [
    'v1',
    'Pod',
    'spec: {tolerations: [{operator: Exists, effect: NoSched}], containers: [{name: a, image: b}]}',
    ['spec.tolerations[0].effect must be NoExecute, NoSchedule or PreferNoSchedule, not "NoSched"'],
  ],
  [
    'v1',
    'Pod',
    'spec: {hostname: A.b, containers: [{name: a, image: b}]}',
    [
      'spec.hostname must be at most 63 lower-case letters, digits and "-" with a letter or digit at both ends, not "A.b"',
    ],
  ],
  [
    'v1',
    'Pod',
    'spec: {containers: [{name: a, image: b}], volumes: [{name: v, hostPath: {path: /a/../b}}]}',
    ['spec.volumes[0].hostPath.path must be a path without "..", not "/a/../b"'],
  ],
  [
    'v1',
    'Pod',
    'spec: {containers: [{name: a, image: b}], volumes: [{name: v, hostPath: {path: /a, type: Dir}}]}',
    [
      'spec.volumes[0].hostPath.type must be BlockDevice, CharDevice, Directory, DirectoryOrCreate, File, FileOrCreate or Socket, not "Dir"',
    ],
  ],
  [
    'v1',
    'Pod',
    'spec: {containers: [{name: a, image: " b"}]}',
    ['spec.containers[0].image must be without blanks at both ends, not " b"'],
  ],
  [
    'networking.k8s.io/v1',
    'Ingress',
    'spec: {rules: [{host: 192.0.2.1, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: a, port: {number: 80}}}}]}}]}',
    ['spec.rules[0].host must be a host name of lower-case letters, digits, "-" and ".", not "192.0.2.1"'],
  ],
  [
    'networking.k8s.io/v1',
    'Ingress',
    'spec: {tls: [{hosts: [A_b]}], defaultBackend: {service: {name: a, port: {number: 80}}}}',
    ['spec.tls[0].hosts[0] must be a host name of lower-case letters, digits, "-" and ".", not "A_b"'],
  ],
  [
    'networking.k8s.io/v1',
    'IngressClass',
    'spec: {controller: a}',
    ['spec.controller must be a domain and a path such as "example.com/name", not "a"'],
  ],
])('refuses %s %s: %s', (apiVersion, kind, rest, messages) => {
  const metadata = rest.startsWith('metadata:') ? '' : 'metadata: {name: a, namespace: b}\n';
  expect(found(`apiVersion: ${apiVersion}\nkind: ${kind}\n${metadata}${rest}\n`)).toEqual(messages);
});

// kube-apiserver 1.36 accepts all of them.
it('accepts what the API server accepts', () => {
  expect(found(readFileSync('test/manifests/schemas/accepted-objects.yaml', 'utf8'))).toEqual([]);
});
