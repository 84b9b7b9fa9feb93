import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { sno } from '../../support/command.js';
import { describeWith } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';
import { startedCommand } from '../../support/started-command.js';
import { buildTimeoutMs } from '../control-plane/support/tools.js';
import { waitUntil } from '../control-plane/support/wait-until.js';
import { liveApi, type LiveApi } from './live-api.js';
import { bootstrapSite, createOpenShift } from './running-cluster.js';

type Files = Readonly<Record<string, string>>;

function configMap(name: string, value: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  namespace: default\ndata:\n  a: "${value}"\n`;
}

function machineConfig(name: string, config: string): string {
  return (
    `apiVersion: machineconfiguration.openshift.io/v1\nkind: MachineConfig\nmetadata:\n  name: ${name}\n` +
    `  labels:\n    machineconfiguration.openshift.io/role: master\nspec:\n  config:\n    ignition:\n      version: 3.2.0\n${config}`
  );
}

const motd = (text: string): string =>
  `    storage:\n      files:\n        - path: /etc/motd\n          mode: 420\n          contents:\n            source: data:,${text}\n`;

/** Each step changes the cluster that the step before left. */
describeWith(['go', 'kubectl'], 'the configuration of a running site', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sno-install-apply-site-'));
  const dir = scratchFolder();
  let api: LiveApi;

  function write(files: Files): void {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(dir, name)), { recursive: true });
      writeFileSync(join(dir, name), text, { mode: 0o600 });
    }
  }

  /** Lines about objects that are not unchanged, and the summary without the time. */
  function apply(...options: readonly string[]): {
    readonly code: number | null;
    readonly lines: readonly string[];
    readonly problems: readonly string[];
  } {
    const { code, stdout, stderr } = sno(['apply', dir, '--timeout', '5s', ...options]);
    const lines = stdout
      .replace(/ \(after .*?\)/, '')
      .split('\n')
      .filter((line) => line !== '' && !/^[A-Z].* unchanged(?: \(server dry run\))?$/.test(line));
    return {
      code,
      lines,
      problems: [...stderr.matchAll(/(?:error|warning)\[apply\/.*/g)].map(([line]) => line),
    };
  }

  beforeAll(async () => {
    api = await liveApi(folder);
    await api.start();
    await createOpenShift(api);
    copyFileSync('fixtures/configs/minimal/install-config.yaml', join(dir, 'install-config.yaml'));
    write({
      'manifests/a.yaml': configMap('from-manifests', '1'),
      'manifests/c.yaml': `${configMap('two-keys', '1')}  b: "2"\n`,
      'openshift/99-motd.yaml': machineConfig('99-motd', motd('hello')),
      'post-install/10-b.yaml': configMap('from-wave', '1'),
      'auth/kubeconfig': api.kubeconfig(),
    });
    await bootstrapSite(api, dir);
  }, buildTimeoutMs);
  afterAll(async () => {
    await api.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const keysOf = async (name: string): Promise<string> =>
    api.kubectl(['get', 'configmap', name, '-ojsonpath={.data}']);
  const managersOf = async (resource: string): Promise<string> =>
    api.kubectl([
      'get',
      resource,
      '--show-managed-fields',
      '-ojsonpath={.metadata.managedFields[*].manager}',
    ]);

  it('finds the installed objects unchanged, and does not write in a comparison', async () => {
    expect(apply('--dry-run', 'server')).toEqual({
      code: 0,
      lines: ['ConfigMap default/from-wave created (server dry run)', '14 objects: 1 created, 13 unchanged'],
      problems: [],
    });
    expect(await managersOf('configmap/from-manifests')).toBe('cluster-bootstrap');
  });

  it('shows fields that the first run removes, and a reboot', async () => {
    write({
      'manifests/c.yaml': configMap('two-keys', '1'),
      'openshift/99-motd.yaml': machineConfig('99-motd', motd('bye')),
    });
    const diff = sno(['apply', dir, '--diff']);
    expect(diff.code).toBe(1);
    expect(diff.stdout).toContain('~ object ConfigMap default/two-keys\n    data.b: 2\n');
    expect(diff.stdout).toContain('~ object MachineConfig 99-motd (machineconfiguration.openshift.io)\n');
    expect(diff.stderr).toContain(
      'warning[apply/reboot]: MachineConfig 99-motd would change and reboot the node',
    );
    expect(await keysOf('two-keys')).toBe('{"a":"1","b":"2"}');
  });

  it('takes over the fields of the installation', async () => {
    expect(apply()).toEqual({
      code: 0,
      lines: [
        'ConfigMap default/two-keys configured',
        'MachineConfig 99-motd configured',
        'ConfigMap default/from-wave created',
        '14 objects: 1 created, 2 configured, 11 unchanged',
      ],
      problems: ['warning[apply/reboot]: MachineConfig 99-motd changed and reboots the node'],
    });
    expect(await managersOf('configmap/from-manifests')).toBe('sno-install');
    expect(await keysOf('two-keys')).toBe('{"a":"1"}');
    expect(apply('--diff').lines).toEqual([expect.stringMatching(/^No differences: /)]);
  });

  it('does not bring back objects that only the installation needs', async () => {
    await api.kubectl(['delete', 'secret', 'kubeadmin', '--namespace=kube-system']);
    expect(apply().lines).toEqual(['14 objects: 14 unchanged']);
    await expect(api.kubectl(['get', 'secret', 'kubeadmin', '--namespace=kube-system'])).rejects.toThrow(
      'not found',
    );
  });

  it('applies a new pull secret and SSH key of install-config.yaml, without a reboot', () => {
    const config = readFileSync(join(dir, 'install-config.yaml'), 'utf8');
    write({
      'install-config.yaml': config
        .replace(/"auth": ?"[^"]+"/, `"auth":"${Buffer.from('user:hunter2').toString('base64')}"`)
        .replace(/(sshKey:.*)/, '$1x'),
    });
    const { code, lines, problems } = apply();
    expect({ code, lines, problems }).toEqual({
      code: 0,
      lines: [
        'Secret openshift-config/pull-secret configured',
        'MachineConfig 99-master-ssh configured',
        'MachineConfig 99-worker-ssh configured',
        '14 objects: 3 configured, 11 unchanged',
      ],
      problems: [],
    });
  });

  it('refuses a change of fields that are fixed on a running node', async () => {
    const config = readFileSync(join(dir, 'install-config.yaml'), 'utf8');
    write({
      'install-config.yaml': config.replace(
        'networking:\n',
        'networking:\n  clusterNetwork:\n    - cidr: 10.132.0.0/14\n      hostPrefix: 23\n',
      ),
      'sno-config.yaml': 'apiVersion: sno-install/v1alpha1\nkind: SingleNodeConfig\nhostname: other\n',
    });
    const { code, problems } = apply();
    expect([code, problems]).toEqual([
      1,
      [
        'error[apply/fixed]: Network cluster is not applied: clusterNetwork cannot change on a running node',
        'error[apply/fixed]: MachineConfig 99-master-hostname is not applied: /etc/hostname cannot change on a running node',
      ],
    ]);
    await expect(api.kubectl(['get', 'machineconfig', '99-master-hostname'])).rejects.toThrow('not found');
    write({ 'install-config.yaml': config });
    rmSync(join(dir, 'sno-config.yaml'));
  });

  it('names objects that the manifests no longer contain, and deletes them only with --prune', async () => {
    rmSync(join(dir, 'manifests/c.yaml'));
    const leftover =
      'an earlier run applied ConfigMap default/two-keys, but no manifest contains it any more';
    expect(apply()).toEqual({
      code: 0,
      lines: ['ConfigMap default/two-keys left: no manifest contains it', '13 objects: 13 unchanged'],
      problems: [`warning[apply/leftover]: ${leftover}`],
    });
    expect(apply('--dry-run', 'server', '--prune')).toEqual({
      code: 0,
      lines: ['ConfigMap default/two-keys deleted (server dry run)', '13 objects: 13 unchanged, 1 deleted'],
      problems: [],
    });
    expect(await keysOf('two-keys')).toBe('{"a":"1"}');
    expect(apply('--prune').lines).toEqual([
      'ConfigMap default/two-keys deleted',
      '13 objects: 13 unchanged, 1 deleted',
    ]);
    expect(apply('--prune').lines).toEqual(['13 objects: 13 unchanged']);
    await expect(keysOf('two-keys')).rejects.toThrow('not found');
  });

  it('keeps an object of an earlier run that another program manages now', async () => {
    write({ 'manifests/d.yaml': configMap('handed-over', '1') });
    expect(apply().code).toBe(0);
    await api.kubectl(['delete', 'configmap', 'handed-over']);
    await api.kubectl(['create', 'configmap', 'handed-over']);
    rmSync(join(dir, 'manifests/d.yaml'));
    expect(apply('--prune').lines).toEqual([
      'ConfigMap default/handed-over kept: sno-install manages no field of it',
      '13 objects: 13 unchanged',
    ]);
    await expect(keysOf('handed-over')).resolves.toBe('');
    expect(apply('--prune').lines).toEqual(['13 objects: 13 unchanged']);
  });

  it('resets a setting of the cluster instead of deleting it', async () => {
    write({
      'manifests/e.yaml':
        'apiVersion: config.openshift.io/v1\nkind: OperatorHub\nmetadata:\n  name: cluster\nspec:\n  disableAllDefaultSources: true\n',
    });
    expect(apply().lines[0]).toBe('OperatorHub cluster created');
    rmSync(join(dir, 'manifests/e.yaml'));
    expect(apply('--prune').lines).toEqual([
      'OperatorHub cluster reset: the fields of earlier runs are removed',
      '13 objects: 13 unchanged, 1 deleted',
    ]);
    expect(await api.kubectl(['get', 'operatorhub', 'cluster', '-ojsonpath={.spec}'])).toMatch(/^(?:\{\})?$/);
  });

  it('deletes the objects of remove.yaml, and reports a kind that does not exist', async () => {
    await api.kubectl(['create', 'configmap', 'unwanted']);
    const entry = (kind: string, name: string): string =>
      `apiVersion: v1\nkind: ${kind}\nmetadata:\n  name: ${name}\n  namespace: default\n`;
    write({ 'post-install/remove.yaml': entry('ConfigMap', 'unwanted') });
    expect(apply('--dry-run', 'server').lines[0]).toBe('ConfigMap default/unwanted deleted (server dry run)');
    expect(apply().lines).toEqual([
      'ConfigMap default/unwanted deleted',
      '13 objects: 13 unchanged, 1 deleted',
    ]);
    expect(apply().lines).toEqual(['13 objects: 13 unchanged']);
    write({ 'post-install/remove.yaml': entry('Confgmap', 'unwanted') });
    expect(apply().problems).toEqual([
      'error[apply/not-deleted]: Confgmap default/unwanted is not deleted: kind Confgmap of v1 is not served',
    ]);
    rmSync(join(dir, 'post-install/remove.yaml'));
  });

  it('shows the result of removed fields that have defaults', async () => {
    const service = (ports: readonly object[]): object => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'names', namespace: 'default' },
      spec: { sessionAffinity: 'ClientIP', selector: { app: 'names' }, ports },
    });
    const [tcp, udp] = [
      { name: 'tcp', port: 53 },
      { name: 'udp', port: 53, protocol: 'UDP' },
    ];
    await api.kubectl(['create', '--field-manager=cluster-bootstrap', '--filename=-'], service([tcp, udp]));
    write({ 'manifests/g.yaml': JSON.stringify(service([tcp, udp])) });
    expect(apply('--diff').lines).toEqual([expect.stringMatching(/^No differences: /)]);
    write({
      'manifests/g.yaml': JSON.stringify(service([tcp])).replace('"sessionAffinity":"ClientIP",', ''),
    });
    const { stdout } = sno(['apply', dir, '--diff']);
    expect(stdout.split('\n\n')[0]).toBe(
      '~ object Service default/names\n    spec.ports[name=udp]:\n    @@ line 1 → 1 @@\n    -{\n    -  "name": "udp",\n' +
        '    -  "port": 53,\n    -  "protocol": "UDP",\n    -  "targetPort": 53\n    -}\n' +
        '    spec.sessionAffinity: ClientIP → None\n    spec.sessionAffinityConfig:\n    @@ line 1 → 1 @@\n    -{\n' +
        '    -  "clientIP": {\n    -    "timeoutSeconds": 10800\n    -  }\n    -}',
    );
    expect(apply().lines[0]).toBe('Service default/names configured');
    expect(
      await api.kubectl([
        'get',
        'service',
        'names',
        '-ojsonpath={.spec.sessionAffinity} {.spec.ports[*].name}',
      ]),
    ).toBe('None tcp');
    rmSync(join(dir, 'manifests/g.yaml'));
    expect(apply('--prune').code).toBe(0);
  });

  it('lists an object in the inventory before it applies it', async () => {
    write({
      'manifests/f.yaml': configMap('before-kill', '1'),
      'post-install/20-never.yaml': 'apiVersion: never.example.com/v1\nkind: Never\nmetadata:\n  name: one\n',
    });
    const { pid, exited } = startedCommand(['apply', dir]);
    await waitUntil('the object', () => keysOf('before-kill'), { pauseMs: 50 });
    process.kill(pid(), 'SIGKILL');
    await exited;
    rmSync(join(dir, 'manifests/f.yaml'));
    rmSync(join(dir, 'post-install/20-never.yaml'));
    expect(apply('--prune').lines).toEqual([
      'ConfigMap default/before-kill deleted',
      '13 objects: 13 unchanged, 1 deleted',
    ]);
  });

  it('rejects --prune with --wave', () => {
    expect(sno(['apply', dir, '--wave', '10', '--prune']).code).toBe(2);
  });
});
