import type { Machine } from '../real/control-plane/support/machine.js';
import { canaryValue } from './canaries.js';
import type { Lab } from './lab.js';

/** Post-install manifests: a Namespace and a Secret, then a kind that an operator serves later. */
export const postInstallManifests = {
  '10-namespace.yaml': `apiVersion: v1
kind: Namespace
metadata:
  name: late
---
apiVersion: v1
kind: Secret
metadata:
  name: login
  namespace: late
stringData:
  password: ${canaryValue}
`,
  '20-late.yaml': `apiVersion: lab.example.com/v1
kind: LateConfig
metadata:
  name: one
  namespace: late
spec:
  size: 1
`,
};

const crd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'lateconfigs.lab.example.com' },
  spec: {
    group: 'lab.example.com',
    scope: 'Namespaced',
    names: { kind: 'LateConfig', plural: 'lateconfigs', singular: 'lateconfig' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

/** The text for which the installed node waits. */
export const waitingText = 'LateConfig late/one: kind LateConfig of lab.example.com/v1 is not served';

/** An operator that installs its CRD after the node has reported that it waits for it. Returns the status that it has read, if any. */
export async function installLateCrd(lab: Lab, machine: Machine): Promise<string | undefined> {
  const { waiting } = await postInstallStatus(lab, machine);
  if (waiting !== waitingText) return undefined;
  const { code } = await machine.kubectl(
    lab.site.adminKubeconfig,
    ['create', '--filename=-'],
    JSON.stringify(crd),
  );
  return code === 0 ? waiting : undefined;
}

/** The ConfigMap of the node. Empty if there is none or the API server does not answer. */
export async function postInstallStatus(
  lab: Lab,
  machine: Machine,
): Promise<Readonly<Record<string, string>>> {
  const read = ['get', 'configmap', 'sno-post-install', '--namespace=kube-system', '--output=json'];
  const { code, stdout } = await machine.kubectl(lab.site.adminKubeconfig, read);
  if (code !== 0) return {};
  return (JSON.parse(stdout) as { data?: Readonly<Record<string, string>> }).data ?? {};
}

/** The spec of the late object. */
export async function lateObject(lab: Lab, machine: Machine): Promise<unknown> {
  const read = ['get', 'lateconfigs.lab.example.com', 'one', '--namespace=late', '--output=json'];
  const { stdout } = await machine.kubectl(lab.site.adminKubeconfig, read);
  return stdout === '' ? undefined : (JSON.parse(stdout) as { spec: unknown }).spec;
}
