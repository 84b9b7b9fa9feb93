import { cpSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { sno } from '../../support/command.js';
import { scratchFolder } from '../../support/scratch.js';
import type { LiveApi } from './live-api.js';
import { customKind } from './objects.js';

/** Kinds of OpenShift in the manifests of an installation: without schema, and with a status. */
const kinds = [
  customKind('DNS', 'dnses'),
  customKind('FeatureGate', 'featuregates'),
  customKind('Infrastructure', 'infrastructures'),
  customKind('Ingress', 'ingresses'),
  customKind('Network', 'networks'),
  customKind('OperatorHub', 'operatorhubs'),
  customKind('Proxy', 'proxies'),
  customKind('Scheduler', 'schedulers'),
  customKind('MachineConfig', 'machineconfigs', 'machineconfiguration.openshift.io'),
];

const namespaces = ['openshift-config', 'openshift-machine-config-operator'];

/** Creates the kinds and namespaces of OpenShift. */
export async function createOpenShift(api: LiveApi): Promise<void> {
  const items = [
    ...kinds,
    ...namespaces.map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })),
  ];
  await api.kubectl(['apply', '--server-side', '--filename=-'], { apiVersion: 'v1', kind: 'List', items });
  await api.kubectl(['wait', '--for=condition=Established', '--timeout=60s', 'crd', '--all']);
}

/** Creates the manifests of a site as cluster-bootstrap does in the installation. Kinds that `createOpenShift` omits are skipped. */
export async function bootstrapSite(api: LiveApi, dir: string): Promise<void> {
  const copy = scratchFolder();
  cpSync(dir, copy, { recursive: true });
  const { code, stderr } = sno(['create', 'manifests', '--dir', copy]);
  if (code !== 0) throw new Error(stderr);
  const files = ['manifests', 'openshift'].flatMap((folder) =>
    existsSync(join(copy, folder))
      ? readdirSync(join(copy, folder)).map((name) => join(copy, folder, name))
      : [],
  );
  for (const file of files)
    if (!skipped.some((name) => file.endsWith(name)))
      await api.kubectl(['create', '--field-manager=cluster-bootstrap', `--filename=${file}`]);
}

const skipped = ['cvo-overrides.yaml', 'user-data-secret.yaml'];
