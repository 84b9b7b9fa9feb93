import { expect, test } from 'vitest';

import { fileKubeconfig } from '../../../src/assets/control-plane/kubeconfig.js';

test('names files, so that a renewed certificate is read again', () => {
  const text = fileKubeconfig({
    user: 'kube-scheduler',
    server: 'https://localhost:6443',
    caFile: '/certs/ca-bundle.crt',
    certFile: '/certs/tls.crt',
    keyFile: '/certs/tls.key',
  });
  expect(text).toBe(`apiVersion: v1
clusters:
  - cluster:
      certificate-authority: /certs/ca-bundle.crt
      server: https://localhost:6443
    name: cluster
contexts:
  - context:
      cluster: cluster
      user: kube-scheduler
    name: kube-scheduler
current-context: kube-scheduler
kind: Config
users:
  - name: kube-scheduler
    user:
      client-certificate: /certs/tls.crt
      client-key: /certs/tls.key
`);
});
