import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { commandBelow, textBelow } from '../../../support/laid-pod.js';
import type { RunningProgram } from '../../../support/loopback-network.js';
import { laidPod, type ApiserverNode } from './apiserver-node.js';

/** A component started with its pod's command, next to a kube-apiserver. */
export interface RunningComponent extends RunningProgram {
  /** URLs of its probes. */
  readonly probeUrls: readonly string[];
}

/** Starts a component and waits until its startup probe succeeds. */
export async function startComponent(
  node: ApiserverNode,
  name: 'kube-controller-manager' | 'kube-scheduler',
  program: string,
): Promise<RunningComponent> {
  const pod = laidPod(node.root, name);
  putBelow(node.root, name, textBelow(node.root, pod, name));
  const [, ...args] = commandBelow(node.root, pod, name);
  const running = node.network.start([program, ...args]);
  const [container] = pod.spec.containers;
  const probes = [container?.startupProbe, container?.livenessProbe, container?.readinessProbe];
  const probeUrls = probes.flatMap((probe) => {
    if (probe?.httpGet === undefined) return [];
    const { host = 'localhost', path, port } = probe.httpGet;
    return [`https://${host.includes(':') ? `[${host}]` : host}:${port}${path}`];
  });
  await node.network.until(probeCommand(probeUrls[0] ?? ''), running);
  return { ...running, probeUrls };
}

/** Requests the URL like the kubelet's probes, which verify no certificate. */
export function probeCommand(url: string): readonly string[] {
  return ['curl', '--silent', '--insecure', '--globoff', '--fail', url];
}

/** Files of the revision refer to other files by their paths in the container. */
function putBelow(root: string, name: string, mapped: (text: string) => string): void {
  const folder = join(root, `etc/kubernetes/static-pod-resources/${name}-pod-1/configmaps`);
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\/(kubeconfig|config\.yaml)$/.test(entry)) continue;
    const path = join(folder, entry);
    writeFileSync(path, mapped(readFileSync(path, 'utf8')));
  }
}
