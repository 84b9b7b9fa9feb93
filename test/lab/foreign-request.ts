import type { Machine } from '../real/control-plane/support/machine.js';
import { outputOf } from '../real/control-plane/support/run-program.js';
import type { Lab } from './lab.js';

export const foreignRequest = 'somebody-elses';

/** Asks the cluster for a serving certificate of another node, as somebody who is not its kubelet; false while no API answers. */
export async function askForForeignCertificate(lab: Lab, machine: Machine): Promise<boolean> {
  const script =
    'openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -keyout /dev/null -subj "${1}" -addext "${2}" 2>/dev/null';
  const names = 'subjectAltName=DNS:node2,IP:192.168.126.11';
  const pem = await outputOf(['bash', '-c', script, 'bash', '/O=system:nodes/CN=system:node:node2', names]);
  const request = {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: foreignRequest },
    spec: {
      request: Buffer.from(pem).toString('base64'),
      signerName: 'kubernetes.io/kubelet-serving',
      usages: ['digital signature', 'server auth'],
    },
  };
  const argv = ['create', '--request-timeout=5s', '-f', '-'];
  return (await machine.kubectl(lab.site.adminKubeconfig, argv, JSON.stringify(request))).code === 0;
}
