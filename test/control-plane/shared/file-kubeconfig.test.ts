import { expect, test } from 'vitest';

import { fileKubeconfig, recoveryKubeconfig } from '../../../src/control-plane/shared/file-kubeconfig.js';

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

test('recovery connects over loopback with a separate name and a token', () => {
  const text = recoveryKubeconfig('kube-apiserver-cert-syncer', '/certs/ca-bundle.crt');
  expect(text).toContain(`  - cluster:
      certificate-authority: /certs/ca-bundle.crt
      server: https://localhost:6443
      tls-server-name: localhost-recovery
`);
  expect(text).toContain(`    user:
      tokenFile: /etc/kubernetes/static-pod-resources/secrets/localhost-recovery-client-token/token
`);
});
