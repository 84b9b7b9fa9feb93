import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { ReleaseNode } from './static-pods.js';

/** The certificates that the etcd operator issues when it renders. Their CA is generated for this render only. */
export function etcdFiles({ name, address }: ReleaseNode): Readonly<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'sno-lab-etcd-'));
  try {
    issueAll(folder, `DNS:localhost,IP:127.0.0.1,IP:${address}`);
    const text = (file: string) => readFileSync(join(folder, file), 'utf8');
    const member = 'etc-kubernetes/static-pod-resources/etcd-member';
    const pairs = ['serving', 'peer'].flatMap((kind) =>
      ['crt', 'key'].map((end) => [`${member}/etcd-${kind}-${name}.${end}`, text(`${kind}.${end}`)]),
    );
    return {
      [`${member}/ca.crt`]: text('ca.crt'),
      ...(Object.fromEntries(pairs) as Readonly<Record<string, string>>),
      'tls/etcd-ca-bundle.crt': text('ca.crt'),
      'tls/etcd-client.crt': text('client.crt'),
      'tls/etcd-client.key': text('client.key'),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function issueAll(folder: string, names: string): void {
  const openssl = (...args: readonly string[]) => {
    const { status, stderr } = spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  };
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc', '-days', '30'];
  openssl('req', '-x509', ...key, '-subj', '/CN=etcd-signer', '-keyout', 'ca.key', '-out', 'ca.crt');
  for (const file of ['serving', 'peer', 'client']) {
    const authority = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-subj', `/O=system:etcd/CN=${file}`];
    const rest = ['-addext', `subjectAltName=${names}`, '-keyout', `${file}.key`, '-out', `${file}.crt`];
    openssl('req', '-x509', ...key, ...authority, ...rest);
  }
}
