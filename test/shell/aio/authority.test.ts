import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { issueCertificate } from '../../support/made-authority.js';
import { snoConfigText } from '../../support/minimal-config.js';
import { openssl } from '../../support/openssl.js';
import { describeWith } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';
import { aioNode, configFiles, nodeClock, type AioNode } from './aio-node.js';
import { rowsOf, unsoundRows } from './renewing-node.js';

const day = 86_400;

/** Server names that openssl accepts with one trusted root, by the certificates that the server presents. */
function believed(
  node: AioNode,
  { rootPem, at }: { readonly rootPem: string; readonly at: number },
): readonly string[] {
  const root = join(scratchFolder(), 'root.pem');
  writeFileSync(root, rootPem);
  const args = ['verify', '-attime', String(at), '-purpose', 'sslserver', '-x509_strict', '-trusted', root];
  return rowsOf(node)
    .filter(({ certFiles }) =>
      certFiles.every((file) => {
        const path = join(node.root, file);
        return openssl([...args, '-untrusted', path, path]).code === 0;
      }),
    )
    .map(({ name }) => name)
    .toSorted();
}

describeWith(['bash', 'jq', 'openssl'], "sno-renew.sh with certificates issued by the user's CA", () => {
  const servers = [
    'external-loadbalancer-serving-certkey',
    'internal-loadbalancer-serving-certkey',
    'localhost-serving-cert-certkey',
    'service-network-serving-certkey',
  ];

  test('issues server certificates that still contain the chain to the root CA', async () => {
    const root = issueCertificate({ subject: '/O=Example Corp/CN=Root' });
    const own = issueCertificate({ by: root });
    const files = await configFiles('aio-minimal', {
      'sno-config.yaml': snoConfigText(
        'certificates:\n  authority: { certificate: chain.pem, key: authority.key }\n',
      ),
      'chain.pem': `${own.certPem}${root.certPem}`,
      'authority.key': own.keyPem,
    });
    const node = aioNode(files);
    // The other certificates behave the same and would take more time.
    const list = 'etc/sno-install/certificates.tsv';
    const rows = node.read(list).split('\n');
    node.write(
      list,
      rows
        .filter((row) => servers.includes(row.split('\t')[0] ?? ''))
        .map((row) => `${row}\n`)
        .join(''),
    );
    expect(believed(node, { rootPem: root.certPem, at: nodeClock })).toEqual(servers);

    const now = nodeClock + 250 * day;
    node.setClock(now);
    expect(node.run('sno-renew.sh').status).toBe(0);

    expect(unsoundRows(node, now)).toEqual([]);
    const later = nodeClock + 400 * day;
    expect(believed(node, { rootPem: root.certPem, at: later })).toEqual(servers);
  });
});
