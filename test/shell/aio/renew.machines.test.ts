import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';

import type { NodeFile } from '../../../src/ignition/types.js';
import { openssl, summaryOf } from '../../support/openssl.js';
import { describeWith } from '../../support/programs.js';
import { fixtureFiles } from '../../support/made-from.js';
import { snoConfigText } from '../../support/minimal-config.js';
import { aioNode, configFiles, nodeClock, type AioNode } from './aio-node.js';
import { expectRenewedAfterKill } from './kills.js';
import {
  annotationOf,
  endsOf,
  readersOf,
  rowsOf,
  secondsOf,
  smallNode,
  unsoundRows,
} from './renewing-node.js';

const day = 86_400;
const [year, authoritiesEnd] = [365 * day, nodeClock + 3650 * day];

/** The contents of a certificate without its times and the fields that depend on them. */
function lastingPart(pem: string): unknown {
  const { notBefore, notAfter, extensions, ...rest } = summaryOf(pem);
  return { ...rest, extensions: extensions.toSorted(), isThere: notBefore !== '' && notAfter !== '' };
}

/** Every certificate and manifest of a node, by path. */
function stateOf(node: AioNode): Readonly<Record<string, string>> {
  const paths = [...rowsOf(node).flatMap(({ certFiles }) => certFiles), ...manifestsOf(node)];
  return Object.fromEntries(paths.map((path) => [path, node.read(path)]));
}

function manifestsOf(node: AioNode): readonly string[] {
  return node.list('etc/kubernetes/manifests').map((name) => `/etc/kubernetes/manifests/${name}`);
}

describeWith(['bash', 'jq', 'openssl'], 'sno-renew.sh', () => {
  let files: readonly NodeFile[] = [];
  beforeAll(async () => {
    files = await configFiles('aio-minimal');
  });

  test('keeps certificates that are far from expiry', () => {
    const node = aioNode(files);
    const before = stateOf(node);
    node.setClock(nodeClock + 200 * day);

    expect(node.run('sno-renew.sh').status).toBe(0);

    expect(stateOf(node)).toEqual(before);
    expect([node.calls('systemctl'), node.has('var/lib/sno-install/renewals.log'), node.console()]).toEqual([
      [],
      false,
      '',
    ]);
  });

  test('renews certificates in the last third of their lifetime, and restarts the programs that use them', () => {
    const node = aioNode(files);
    const before = stateOf(node);
    const now = nodeClock + 250 * day;
    node.setClock(now);

    const { status, stderr } = node.run('sno-renew.sh');

    expect([status, stderr.includes('CERTIFICATE')]).toEqual([0, false]);
    const rows = rowsOf(node);
    expect(rows.length).toBeGreaterThanOrEqual(13);
    expect(unsoundRows(node, now)).toEqual([]);
    for (const row of rows) {
      for (const file of row.certFiles) {
        const pem = node.read(file);
        const { notBefore, notAfter } = summaryOf(pem);
        expect(lastingPart(pem), file).toEqual(lastingPart(before[file] ?? ''));
        expect([secondsOf(notBefore), secondsOf(notAfter)]).toEqual([now - 3600, now + year]);
        expect([node.modeOf(file), pem.match(/BEGIN/g)?.length]).toEqual([
          '600',
          row.form === 'chain' ? 2 : 1,
        ]);
      }
    }
    for (const path of manifestsOf(node)) {
      expect([path, annotationOf(node.read(path))]).toEqual([path, String(now)]);
      const added = `  annotations:\n    sno-install/renewed: "${now}"\n`;
      expect(node.read(path).replace(added, '')).toBe(before[path]);
      expect(node.modeOf(path)).toBe('600');
    }
    expect(node.list('etc').filter((path) => path.includes('.new'))).toEqual([]);
    expect(node.list('var/lib/sno-install')).toEqual(['renewals.log']);
    expect(node.read('var/lib/sno-install/renewals.log').trimEnd().split('\n')).toHaveLength(rows.length);
  });

  test('renews again after a year, under the same annotation', () => {
    const node = smallNode(files);
    for (const at of [250, 500, 750]) {
      node.setClock(nodeClock + at * day);
      expect(node.run('sno-renew.sh').status).toBe(0);
    }
    const now = nodeClock + 750 * day;
    expect(unsoundRows(node, now)).toEqual([]);
    for (const path of readersOf(node))
      expect(node.read(path).match(/annotations:|sno-install\/renewed: "\d+"/g)).toEqual([
        'annotations:',
        `sno-install/renewed: "${now}"`,
      ]);
  });

  const etcdClient = '/etc/kubernetes/static-pod-resources/kube-apiserver-pod-1/secrets/etcd-client/tls.crt';
  const damages = [
    {
      name: 'is missing',
      damage: (node: AioNode) => {
        node.remove(etcdClient);
      },
    },
    {
      name: 'is truncated',
      damage: (node: AioNode) => {
        node.write(etcdClient, '-----BEGIN CERTIFICATE-----\n');
      },
    },
    {
      name: 'has another key',
      damage: (node: AioNode) => {
        node.write(etcdClient, node.read('/etc/kubernetes/kube-proxy/client.crt'));
      },
    },
  ];
  test.each(damages)('repairs only a certificate that $name', ({ damage }) => {
    const node = smallNode(files);
    const before = stateOf(node);
    damage(node);

    expect(node.run('sno-renew.sh').status).toBe(0);

    const changed = Object.entries(stateOf(node)).flatMap(([path, text]) =>
      text === before[path] ? [] : [path],
    );
    expect(changed).toEqual([etcdClient, '/etc/kubernetes/manifests/kube-apiserver-pod.yaml']);
    expect(lastingPart(node.read(etcdClient))).toEqual(lastingPart(before[etcdClient] ?? ''));
  });

  test('does nothing while the clock is before the creation of the cluster', () => {
    const node = smallNode(files);
    const before = stateOf(node);
    node.setClock(nodeClock - 365 * day);

    const { status, stderr } = node.run('sno-renew.sh');

    expect([status, stateOf(node)]).toEqual([1, before]);
    expect(stderr).toMatch(
      /the clock is at 2025-01-02 03:04:05 UTC, but \S+\.crt is not valid before 2026-01-02 02:04:05 UTC/,
    );
    expect(node.console()).toContain('Certificates are not renewed: the clock is at 2025-01-02 03:04:05 UTC');
  });

  // X.509 limits common names to 64 characters.
  test('renews certificates and identities with names longer than 64 characters', async () => {
    const [hostname, domain] = ['h'.repeat(63), `${'d'.repeat(60)}.example.com`];
    const texts = fixtureFiles('aio-minimal');
    const node = aioNode(
      await configFiles('aio-minimal', {
        'install-config.yaml': (texts['install-config.yaml'] ?? '').replace(
          /baseDomain: .*/,
          `baseDomain: ${domain}`,
        ),
        'sno-config.yaml': snoConfigText(`hostname: ${hostname}\n`),
      }),
    );
    node.write('var/lib/sno-install/.aiokube.done', '');
    const now = nodeClock + 250 * day;
    node.setClock(now);

    expect(node.run('sno-renew.sh').status).toBe(0);

    expect(unsoundRows(node, now)).toEqual([]);
    const subjects = rowsOf(node).map((row) => summaryOf(node.read(row.certFiles[0] ?? '')).subject);
    expect(subjects).toContainEqual(expect.stringContaining(`CN=api-int.site1.${domain}`));
    expect(summaryOf(node.read('var/lib/kubelet/pki/kubelet-client-current.pem')).subject).toBe(
      `CN=system:node:${hostname}, O=system:nodes`,
    );
  });

  test('replaces the identity of the kubelet, and its serving certificate, if they are not valid yet', () => {
    const node = smallNode(files);
    const pki = 'var/lib/kubelet/pki';
    node.write('var/lib/sno-install/.aiokube.done', '');
    node.setClock(nodeClock + 3 * year);
    expect(node.run('sno-renew.sh').status).toBe(0);
    node.write(`${pki}/kubelet-server-current.pem`, node.read(`${pki}/kubelet-client-current.pem`));
    node.setClock(nodeClock + day);

    expect(node.run('sno-renew.sh').status).toBe(0);

    const { notBefore } = summaryOf(node.read(`${pki}/kubelet-client-current.pem`));
    expect(secondsOf(notBefore)).toBe(nodeClock + day - 3600);
    expect(node.has(`${pki}/kubelet-server-current.pem`)).toBe(false);
  });

  test('renews again after the clock was ahead', () => {
    const node = smallNode(files);
    node.setClock(nodeClock + 5 * year);
    expect(node.run('sno-renew.sh').status).toBe(0);
    node.setClock(nodeClock + day);
    expect(unsoundRows(node, nodeClock + day)).toHaveLength(rowsOf(node).length);

    expect(node.run('sno-renew.sh').status).toBe(0);

    expect(unsoundRows(node, nodeClock + day)).toEqual([]);
  });

  test('limits certificates to the lifetime of their authority, reports it, and skips useless renewals', () => {
    const node = smallNode(files);
    node.setClock(authoritiesEnd - 100 * day);
    expect(node.run('sno-renew.sh').status).toBe(0);
    const capped = rowsOf(node).flatMap((row) => endsOf(node, row));
    expect(new Set(capped)).toEqual(new Set([authoritiesEnd]));
    const before = stateOf(node);
    node.setClock(authoritiesEnd - 90 * day);

    expect(node.run('sno-renew.sh').status).toBe(0);

    expect(stateOf(node)).toEqual(before);
    expect(node.console()).toContain(
      'The certificates of this cluster expire at 2035-12-31 03:04:05 UTC and cannot be renewed',
    );
  });

  test('renews the rest if a file is not writable, and the file in the next run', () => {
    const node = smallNode(files);
    const now = nodeClock + 300 * day;
    node.setClock(now);
    // Simulates a full disk for the first file that is moved into place.
    node.fail('install', 1);
    const [first] = rowsOf(node);
    const before = node.read(first?.certFiles[0] ?? '');

    expect(node.run('sno-renew.sh').status).toBe(1);

    expect(node.read(first?.certFiles[0] ?? '')).toBe(before);
    expect(node.console()).toContain(
      'Certificates could not be renewed: etcd-serving. See journalctl -u sno-renew.',
    );
    const others = rowsOf(node).slice(1);
    expect(others.filter((row) => endsOf(node, row).some((end) => end !== now + year))).toEqual([]);
    expect(node.run('sno-renew.sh').status).toBe(0);
    expect(rowsOf(node).filter((row) => endsOf(node, row).some((end) => end !== now + year))).toEqual([]);
    expect(node.console()).toBe('');
  });

  // kills.machines.test.ts kills the script in every call.
  test.each([
    { program: 'install', calls: 2 },
    { program: 'sync', calls: 4 },
  ] as const)('completes after a kill in call $calls of $program', (kill) => {
    expectRenewedAfterKill(files, kill);
  });

  test('issues a new identity to the kubelet when the old one has expired', () => {
    const node = smallNode(files);
    const pki = 'var/lib/kubelet/pki';
    const old = `${node.read('/etc/kubernetes/kube-proxy/client.crt')}${node.read('/etc/kubernetes/kube-proxy/client.key')}`;
    node.write(`${pki}/kubelet-client-current.pem`, old);
    const now = nodeClock + 400 * day;
    node.setClock(now);

    expect(node.run('sno-renew.sh').status).toBe(0);

    const current = node.read(`${pki}/kubelet-client-current.pem`);
    const { subject, extendedUsage, names } = summaryOf(current);
    expect({ subject, extendedUsage, names }).toEqual({
      subject: 'CN=system:node:site1, O=system:nodes',
      extendedUsage: 'TLS Web Client Authentication',
      names: '',
    });
    const ca = join(node.root, 'etc/sno-install/pki/csr-signer.crt');
    expect(openssl(['verify', '-partial_chain', '-attime', String(now), '-CAfile', ca], current).code).toBe(
      0,
    );
    expect(node.list(pki)).toEqual(['kubelet-client-2027-02-06-03-04-05.pem', 'kubelet-client-current.pem']);
    expect(node.modeOf(`${pki}/kubelet-client-2027-02-06-03-04-05.pem`)).toBe('600');
    expect(node.calls('systemctl')).toEqual(['--no-block try-restart kubelet.service']);
    expect(node.list('var/lib/sno-install')).toEqual(['renewals.log']);
  });

  test('issues a new identity to a kubelet that lost its files after the first boot', () => {
    const node = smallNode(files);
    const pki = 'var/lib/kubelet/pki';
    expect([node.run('sno-renew.sh').status, node.list(pki)]).toEqual([0, []]);
    node.write('var/lib/sno-install/.aiokube.done', '');

    const { status, stderr } = node.run('sno-renew.sh');

    expect([status, stderr]).toEqual([
      0,
      expect.stringContaining("the kubelet's key is missing; issuing another one\n"),
    ]);
    const current = node.read(`${pki}/kubelet-client-current.pem`);
    expect(summaryOf(current).subject).toBe('CN=system:node:site1, O=system:nodes');
    expect(openssl(['x509', '-noout', '-pubkey'], current).stdout).toBe(
      openssl(['pkey', '-pubout'], current).stdout,
    );
    expect(parse(node.read('var/lib/kubelet/kubeconfig'))).toMatchObject({
      clusters: [{ cluster: { server: 'https://localhost:6443' } }],
      users: [{ user: { 'client-key': `/${pki}/kubelet-client-current.pem` } }],
      'current-context': 'default-context',
    });
    expect(node.modeOf('var/lib/kubelet/kubeconfig')).toBe('600');
    expect(node.list('var/lib/sno-install').filter((name) => name.startsWith('renewal/'))).toEqual([]);
  });

  test('keeps a kubelet identity that is still valid', () => {
    const node = smallNode(files);
    const current = 'var/lib/kubelet/pki/kubelet-client-current.pem';
    const pem = `${node.read('/etc/kubernetes/kube-proxy/client.crt')}${node.read('/etc/kubernetes/kube-proxy/client.key')}`;
    node.write(current, pem);
    expect(node.run('sno-renew.sh').status).toBe(0);
    expect([node.read(current), node.calls('systemctl')]).toEqual([pem, []]);
  });

  test('records its stages', () => {
    const node = smallNode(files);
    node.run('sno-renew.sh');
    const record = JSON.parse(
      readFileSync(join(node.root, 'var/log/sno-install/sno-renew.json'), 'utf8'),
    ) as {
      stage?: string;
      result?: string;
    }[];
    expect(
      record.flatMap(({ stage, result }) =>
        result === undefined ? [] : [`${stage ?? 'service'} ${result}`],
      ),
    ).toEqual([
      'clock success',
      'certificates success',
      'restarts success',
      'kubelet success',
      'kubelet-serving success',
      'outcome success',
      'service success',
    ]);
  });
});
