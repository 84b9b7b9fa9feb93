import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { expect, test } from 'vitest';

import { describeWith } from '../../support/programs.js';

import { seededRsaKey } from '../../support/seeded-keys.js';
import { secretDocuments } from '../../support/secret-corpus.js';
import { plainLines, secretLines } from '../../support/secret-lines.js';
import { filesBelow } from '../support/machine-traces.js';
import { liveMachine, type Machine } from './machine.js';

const home = 'opt/openshift';

/** Throwaway secrets that must not appear in the bundle. */
const key = seededRsaKey('gather canary', 2048);
const keyBody = key.split('\n').slice(1, -2);
const token = 'canary-token-7d1f0c1b5e';
const password = 'canary-password-91ab';
const auth = Buffer.from('user:canary-pull-secret').toString('base64');
const pullSecret = JSON.stringify({ auths: { 'quay.io': { auth, email: 'a@example.com' } } });
const encodedKey = Buffer.from(key).toString('base64');
const encodedPullSecret = Buffer.from(pullSecret).toString('base64');
const canaries = [...keyBody, token, password, auth, encodedKey.slice(0, 60), encodedPullSecret];

const machineConfig = {
  kind: 'List',
  items: [
    {
      kind: 'MachineConfig',
      spec: {
        config: {
          storage: {
            files: [
              { path: '/etc/chrony.conf', contents: { source: 'data:,server%20ntp.example.com' } },
              {
                path: '/var/lib/kubelet/config.json',
                contents: { source: `data:,${encodeURIComponent(pullSecret)}` },
              },
              { path: '/etc/key', contents: { source: `data:;base64,${encodedKey}` } },
              {
                path: '/etc/zipped',
                contents: {
                  source: 'data:;base64,H4sIAAAAAAAAA0vOSMxTKEktLgEAhE2Y0gwAAAA=',
                  compression: 'gzip',
                },
              },
            ],
          },
        },
      },
    },
  ],
};

/** A live system during the bootstrap, with a canary in every gathered place. */
function plantedMachine(): Machine {
  const machine = liveMachine({ stubbedScripts: [] });
  machine.write(`${home}/tls/root-ca.crt`, '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n');
  machine.write(`${home}/tls/root-ca.key`, key);
  machine.write(`${home}/auth/kubeconfig`, `client-key-data: ${encodedKey}\n`);
  machine.write(`${home}/openshift/99_kubeadmin-password-secret.yaml`, `data:\n  kubeadmin: ${password}\n`);
  machine.write(`${home}/manifests/pull.yaml`, `kind: Secret\ndata:\n  .dockerconfigjson: ${token}\n`);
  machine.write(
    `${home}/manifests/list.yaml`,
    `kind: List\nitems:\n- kind: Secret\n  stringData: {a: ${token}}\n`,
  );
  machine.write(`${home}/manifests/secret-as.json`, `{"kind":"Secret","data":{"a":"${token}"}}`);
  machine.write(
    `${home}/manifests/quiet.json`,
    `{"apiVersion":"v1","kind": "Secret","data":{"a":"${token}"}}`,
  );
  machine.write(
    `${home}/manifests/plain.yaml`,
    `kind: ConfigMap\ndata:\n  note: kept\n  token: ${token}\n  pem: |\n${indented(key)}`,
  );
  machine.write(
    `${home}/manifests/proxy.yaml`,
    `spec:\n  httpProxy: http://user:${password}@proxy.example.com:3128\n`,
  );
  machine.write(`${home}/master.ign`, key);
  machine.write(`${home}/original-master.ign`, key);
  machine.write(`${home}/etcd-snapshot/snapshot.db`, key);
  machine.write(`${home}/etcd-snapshot/snapshot.db.gz`, key);
  machine.write(
    'var/log/openshift/bootkube.json',
    `[{"phase":"service start","errorMessage":"Bearer ${token}"}]\n`,
  );
  machine.write('var/log/openshift/release-image.json', '[{"phase":"service start"}]\n');
  const lines = key.split('\n').map((line) => `2026-01-02T03:04:05 sno1 bootkube[1]: ${line}`);
  machine.answer(
    'journalctl',
    [...lines, 'a line after the key', `Authorization: Bearer ${token}`, ''].join('\n'),
  );
  machine.answer('journal', `${pullSecret}\n${encodedPullSecret}\nthe whole journal\n`);
  machine.answer(
    'crictl-ps',
    JSON.stringify({ containers: [{ id: '0123456789abcdef', metadata: { name: 'etcd' } }] }),
  );
  machine.answer('crictl-logs-0123456789abcdef', `password: ${password}\netcd says hello\n`);
  machine.answer('crictl-inspect-0123456789abcdef', JSON.stringify({ env: { token } }));
  machine.answer('podman-ids', 'f00\n');
  machine.answer('podman-logs-f00', `escaped "${key.replaceAll('\n', '\\n')}" key\n`);
  machine.answer('podman-inspect-f00', JSON.stringify({ note: pullSecret }));
  machine.answer('oc-get', 'ok');
  machine.answer('oc-get-machineconfigs', JSON.stringify(machineConfig));
  machine.answer('oc-get-events', '{"items":[{"involvedObject":{"kind": "Secret","name":"pull-secret"}}]}');
  machine.answer('oc-get-configmaps', JSON.stringify({ items: [{ data: { a: key, b: pullSecret } }] }));
  machine.answer('oc-get-secrets', 'openshift-config pull-secret kubernetes.io/dockerconfigjson\n');
  return machine;
}

function indented(text: string): string {
  return text.replace(/^/gm, '    ');
}

/** Every file of the bundle as text, decompressed, by path. */
function unpacked(machine: Machine, archive: string): Readonly<Record<string, string>> {
  const folder = join(machine.root, 'unpacked');
  machine.write('unpacked/.keep', '');
  const { status, stderr } = spawnSync(
    'tar',
    ['--extract', '--gzip', `--directory=${folder}`, `--file=${join(machine.root, archive)}`],
    {
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(stderr);
  const paths = filesBelow(folder).filter((path) => path !== '.keep');
  return Object.fromEntries(
    paths.map((path) => {
      const bytes = readFileSync(join(folder, path));
      return [path, (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1')];
    }),
  );
}

function leaks(bundle: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(bundle).flatMap(([path, text]) =>
    canaries.filter((canary) => text.includes(canary)).map((canary) => `${path}: ${canary}`),
  );
}

describeWith(['bash', 'jq', 'tar'], 'installer-gather.sh', () => {
  test('collects all files without secrets in the live system', () => {
    const machine = plantedMachine();
    const planted = [machine.root, join(machine.stub, 'answers')].flatMap((folder) =>
      filesBelow(folder).map((path) => readFileSync(join(folder, path), 'latin1')),
    );
    expect(canaries.filter((canary) => !planted.some((text) => text.includes(canary)))).toEqual([]);
    const { status, stdout } = machine.run('installer-gather.sh', {
      args: ['--id', 'test', '192.168.126.10'],
    });
    expect({ status, stdout: stdout.replace(machine.root, '') }).toEqual({
      status: 0,
      stdout: 'Log bundle written to /root/log-bundle-test.tar.gz\n',
    });
    expect(machine.modeOf('root/log-bundle-test.tar.gz')).toBe('600');
    expect(machine.has('tmp/artifacts-test')).toBe(false);
    const bundle = unpacked(machine, 'root/log-bundle-test.tar.gz');
    expect(leaks(bundle)).toEqual([]);
    const text = (path: string) => bundle[`log-bundle-test/${path}`] ?? 'missing';
    expect(text('bootstrap/services/bootkube.json')).toBe(
      '[{"phase":"service start","errorMessage":"Bearer [redacted]"}]\n',
    );
    expect(text('bootstrap/journals/bootkube.log')).toBe(
      '2026-01-02T03:04:05 sno1 bootkube[1]: [redacted private key]\n' +
        '2026-01-02T03:04:05 sno1 bootkube[1]: \na line after the key\nAuthorization: Bearer [redacted]\n',
    );
    expect(text('bootstrap/journals/journal.log.gz')).toBe(
      '{"auths":{"quay.io":{"auth":"[redacted]","email":"a@example.com"}}}\n[redacted pull secret]\nthe whole journal\n',
    );
    expect(text('bootstrap/containers/etcd-0123456789abc.log')).toBe(
      'password: [redacted]\netcd says hello\n',
    );
    expect(text('bootstrap/pods/f00.log')).toBe('escaped "[redacted private key]\\n" key\n');
    expect(text('rendered-assets/openshift/manifests/plain.yaml')).toBe(
      'kind: ConfigMap\ndata:\n  note: kept\n  token: [redacted]\n  pem: |\n    [redacted private key]\n    \n',
    );
    expect(text('rendered-assets/openshift/manifests/proxy.yaml')).toBe(
      'spec:\n  httpProxy: http://[redacted]@proxy.example.com:3128\n',
    );
    const assets = Object.keys(bundle).filter((path) => path.includes('/rendered-assets/openshift/'));
    const names = assets.map((path) => path.slice('log-bundle-test/rendered-assets/openshift/'.length));
    expect(names.filter((name) => !name.startsWith('bootstrap-'))).toEqual([
      'etcd-snapshot/snapshot.json',
      'manifests/plain.yaml',
      'manifests/proxy.yaml',
      'original_cvo_overrides.patch',
      'sno-install.env',
      'tls/etcd-ca-bundle.crt',
      'tls/etcd-client.crt',
      'tls/root-ca.crt',
    ]);
    expect(text('resources/secrets.names')).toBe(
      'openshift-config pull-secret kubernetes.io/dockerconfigjson\n',
    );
    expect(text('resources/events.json')).toBe(
      '{"items":[{"involvedObject":{"kind": "Secret","name":"pull-secret"}}]}\n',
    );
    const { items } = JSON.parse(text('resources/machineconfigs.json')) as typeof machineConfig;
    expect(items[0]?.spec.config.storage.files.map(({ contents }) => contents)).toEqual([
      { source: 'data:,server%20ntp.example.com' },
      { source: 'data:,[redacted]' },
      { source: 'data:,[redacted]' },
      { source: 'data:,[redacted]' },
    ]);
  });

  test('collects the last responses of an API server that is down', () => {
    const machine = plantedMachine();
    const gather = 'cluster_bootstrap_gather';
    expect(machine.source('bootstrap-cluster-gather.sh', gather).status).toBe(0);
    machine.fail('oc', 'always');
    expect(machine.source('bootstrap-cluster-gather.sh', `${gather} || true`).stderr).toBe(
      'the API server does not answer; its last answers are kept\n',
    );
    const archive = join(machine.root, 'bundle.tar.gz');
    const { status } = machine.run('installer-gather.sh', {
      args: ['--id', 'late'],
      variables: { TAR_FILE: archive },
    });
    expect(status).toBe(0);
    const bundle = unpacked(machine, 'bundle.tar.gz');
    expect(bundle['log-bundle-late/resources/secrets.names']).toBe(
      'openshift-config pull-secret kubernetes.io/dockerconfigjson\n',
    );
    expect(leaks(bundle)).toEqual([]);
  });

  test('on the installed node: both phases, and its own control plane', () => {
    const machine = plantedMachine();
    const archive = join(machine.root, 'var/log/log-bundle-bootstrap.tar.gz');
    machine.write('var/log/.keep', '');
    machine.run('installer-gather.sh', { args: ['--id', 'bootstrap'], variables: { TAR_FILE: archive } });
    machine.run('installer-gather.sh', { args: ['--id', 'node'] });
    const bundle = unpacked(machine, 'root/log-bundle-node.tar.gz');
    expect(leaks(bundle)).toEqual([]);
    expect(Object.keys(bundle)).toEqual(
      expect.arrayContaining([
        'log-bundle-node/bootstrap/services/bootkube.json',
        'log-bundle-node/log-bundle-bootstrap/bootstrap/services/bootkube.json',
        'log-bundle-node/control-plane/master/journals/kubelet.log',
        'log-bundle-node/gather.log',
      ]),
    );
    expect(statSync(join(machine.root, 'root/log-bundle-node.tar.gz')).size).toBeGreaterThan(0);
    expect(machine.list().filter((path) => path.startsWith('/tmp/'))).toEqual([]);
  });

  test('writes a bundle even if no program answers', () => {
    const machine = liveMachine({ stubbedScripts: [] });
    for (const program of ['journalctl', 'crictl', 'oc', 'systemctl', 'ip']) machine.fail(program, 'always');
    expect(machine.run('installer-gather.sh', { args: ['--id', 'poor'] }).status).toBe(0);
    const bundle = unpacked(machine, 'root/log-bundle-poor.tar.gz');
    expect(bundle['log-bundle-poor/gather.log']).toContain('gathering cluster resources failed\n');
    expect(bundle['log-bundle-poor/rendered-assets/openshift/tls/etcd-client.crt']).toBeDefined();
  });

  test.each([
    { args: [] },
    { args: ['--id'] },
    { args: ['--id', '../../etc'] },
    { args: ['--id', '-x'] },
    { args: ['test'] },
  ])('rejects the arguments $args', ({ args }) => {
    const machine = liveMachine({ stubbedScripts: [] });
    for (const script of ['installer-gather.sh', 'installer-masters-gather.sh'])
      expect(machine.run(script, { args })).toMatchObject({
        status: 1,
        stderr:
          'the first argument must be --id ID, where ID holds letters, digits, dots, dashes and underscores\n',
      });
  });
});

describeWith(['bash', 'jq', 'tar'], 'redact', () => {
  test.each([
    { name: 'plain text', given: 'etcd is ready\n', want: 'etcd is ready\n' },
    {
      name: 'keeps a certificate',
      given: '-----BEGIN CERTIFICATE-----\nMIIB\n',
      want: '-----BEGIN CERTIFICATE-----\nMIIB\n',
    },
    {
      name: 'keeps a public key',
      given: 'LS0tLS1CRUdJTiBQVUJMSUMgS0VZLS0tLS0=\n',
      want: 'LS0tLS1CRUdJTiBQVUJMSUMgS0VZLS0tLS0=\n',
    },
    {
      name: 'a key without an end line does not hide the lines after it',
      given: '-----BEGIN RSA PRIVATE KEY-----\nthe kubelet\nis started\n',
      want: '[redacted private key]\nthe kubelet\nis started\n',
    },
    {
      name: 'two keys',
      given: `a\n${key}b\n${key}c\n`,
      want: 'a\n[redacted private key]\nb\n[redacted private key]\nc\n',
    },
    {
      name: 'a key on one line of JSON',
      given: JSON.stringify({ data: key, next: 1 }),
      want: '{"data":"[redacted private key]\\n","next":1}\n',
    },
    {
      name: 'JSON within JSON',
      given: String.raw`{"a":"{\"auth\":\"c2VjcmV0\"}"}`,
      want: `${String.raw`{"a":"{\"auth\":\"[redacted]\"}"}`}\n`,
    },
    {
      name: 'initial-cluster-token is no secret',
      given: '"initialClusterToken": "etcd-cluster"\n',
      want: '"initialClusterToken": "etcd-cluster"\n',
    },
  ])('$name', ({ given, want }) => {
    const machine = liveMachine();
    machine.write('given', given);
    expect(machine.source('sno-redact.sh', 'redact <"${SNO_ROOT}/given"').stdout).toBe(want);
  });

  test('redacts every line of the corpus like analyze', () => {
    const machine = liveMachine();
    machine.write('given', [...secretLines.map(({ line }) => line), ...plainLines, ''].join('\n'));
    const lines = machine.source('sno-redact.sh', 'redact <"${SNO_ROOT}/given"').stdout.split('\n');
    const leaks = secretLines.filter(
      ({ secret, line }, at) => !line.includes(secret) || lines[at]?.includes(secret),
    );
    expect(leaks.map(({ name }) => name)).toEqual([]);
    expect(lines.slice(secretLines.length, -1)).toEqual(plainLines);
  });
});

describeWith(['bash', 'jq', 'tar'], 'remove_secret_files', () => {
  const word = 'canary-of-the-manifest';

  test('removes every form of a Secret', () => {
    const machine = liveMachine();
    const documents = Object.entries(secretDocuments).flatMap(([form, write]) => [
      { form, text: write(word) },
      { form: `${form}, in JSON in a text`, text: JSON.stringify({ text: write(word) }) },
      { form: `${form}, with line breaks of Windows`, text: write(word).replaceAll('\n', '\r\n') },
    ]);
    for (const [n, { text }] of documents.entries()) machine.write(`folder/${n}.yaml`, text);
    machine.write(
      'folder/utf-16.yaml',
      Buffer.from(secretDocuments['plain']?.(word) ?? '', 'utf16le').toString('latin1'),
    );
    machine.source('sno-redact.sh', 'remove_secret_files "${SNO_ROOT}/folder"');
    expect(
      documents.filter((_document, n) => machine.has(`folder/${n}.yaml`)).map(({ form }) => form),
    ).toEqual([]);
    expect(machine.has('folder/utf-16.yaml')).toBe(false);
  });

  test.each([
    { name: 'a ConfigMap', text: 'apiVersion: v1\nkind: ConfigMap\ndata:\n  a: Secret\n' },
    { name: 'a Role over Secrets', text: 'kind: Role\nrules:\n- resources: [secrets]\n' },
    { name: 'a reference', text: 'kind: Ingress\nspec:\n  certificate:\n    name: a-Secret\n' },
    { name: 'JSON with escapes', text: '{"kind":"ConfigMap","data":{"a":"\\u003cb\\u003e\\n"}}' },
    { name: 'a text', text: 'what kind of Secret it is\n' },
  ])('keeps $name', ({ text }) => {
    const machine = liveMachine();
    machine.write('folder/a.yaml', text);
    machine.source('sno-redact.sh', 'remove_secret_files "${SNO_ROOT}/folder"');
    expect(machine.has('folder/a.yaml')).toBe(true);
  });
});
