import type { NodeFile } from '../../../src/ignition/types.js';
import { aioNode, type AioNode } from './aio-node.js';

/** Files that only the first boot needs. */
const bootOnly = [
  'etc/kubernetes/bootstrap-kubeconfig',
  'etc/kubernetes/pki/kubelet-bootstrap.crt',
  'etc/kubernetes/pki/kubelet-bootstrap.key',
  'etc/sno-install/aiokube/client.crt',
  'etc/sno-install/aiokube/client.key',
  'etc/sno-install/aiokube/kubeconfig',
  'etc/sno-install/objects/10-access.yaml',
  'etc/sno-install/objects/20-node-bootstrapper.yaml',
  'etc/sno-install/objects/30-coredns.yaml',
  'etc/systemd/system/aiokube.service',
  'usr/local/bin/aiokube.sh',
];

/** Paths of the kubelet's certificates. */
export const [clientCertificate, servingCertificate] = [
  'var/lib/kubelet/pki/kubelet-client-current.pem',
  'var/lib/kubelet/pki/kubelet-server-current.pem',
];
export const nameServers = 'run/systemd/resolve/resolv.conf';

/** A node on which every wait condition of the first boot is true. */
export function readyNode(files: readonly NodeFile[]): AioNode {
  const node = aioNode(files);
  node.write(servingCertificate, 'a certificate\n');
  const identity = ['crt', 'key'].map((end) => node.read(`etc/kubernetes/kube-proxy/client.${end}`));
  node.write(clientCertificate, identity.join(''));
  node.write(nameServers, 'nameserver 192.168.126.1\n');
  return node;
}

/** Paths that only the first boot needs and that still exist. */
export function leftOf(node: AioNode): readonly string[] {
  return bootOnly.filter((path) => node.has(path));
}
