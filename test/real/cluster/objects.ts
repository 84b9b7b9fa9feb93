/** A cluster-scoped CRD for an OpenShift kind, without a schema. The real CRDs are part of a release. */
export function customKind(kind: string, plural: string, group = 'config.openshift.io'): object {
  const schema = {
    openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${group}`,
      annotations: { 'api-approved.kubernetes.io': 'https://github.com/openshift/api' },
    },
    spec: {
      group,
      scope: 'Cluster',
      names: { kind, plural, singular: kind.toLowerCase() },
      versions: [{ name: 'v1', served: true, storage: true, schema, subresources: { status: {} } }],
    },
  };
}

/** The kinds that `wait-for` reads. */
export const openShiftKinds = {
  apiVersion: 'v1',
  kind: 'List',
  items: [
    customKind('ClusterVersion', 'clusterversions'),
    customKind('ClusterOperator', 'clusteroperators'),
    customKind('Console', 'consoles'),
    customKind('MachineConfigPool', 'machineconfigpools', 'machineconfiguration.openshift.io'),
  ],
};

export function configObject(kind: string, name: string): object {
  return { apiVersion: 'config.openshift.io/v1', kind, metadata: { name } };
}

export const pool = {
  apiVersion: 'machineconfiguration.openshift.io/v1',
  kind: 'MachineConfigPool',
  metadata: { name: 'master' },
};

export const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'sno1' } };

/** kubectl arguments that set the status of an object. */
export function statusPatch(resource: string, name: string, status: object): readonly string[] {
  return [
    'patch',
    resource,
    name,
    '--subresource=status',
    '--type=merge',
    `--patch=${JSON.stringify({ status })}`,
  ];
}

export function conditions(states: Readonly<Record<string, readonly [string, string?]>>): object {
  return {
    conditions: Object.entries(states).map(([type, [status, message = '']]) => ({
      type,
      status,
      message,
      reason: 'AsSet',
      lastTransitionTime: '2026-01-02T03:04:05Z',
    })),
  };
}
