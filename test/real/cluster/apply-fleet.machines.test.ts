import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { fleetFiles, fleetFolder } from '../../fleet/files.js';
import { sno } from '../../support/command.js';
import { describeWith } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';
import { buildTimeoutMs } from '../control-plane/support/tools.js';
import { liveApi, type LiveApi } from './live-api.js';
import { bootstrapSite, createOpenShift } from './running-cluster.js';

const settings = (value: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n  namespace: default\ndata:\n  site: \${name}\n  a: "${value}"\n`;

/** The folder of a site with the files that the fleet has for it. */
function siteFolder(values: Readonly<Record<string, string>>): string {
  const dir = scratchFolder();
  for (const [path, text] of Object.entries({
    ...fleetFiles,
    'base/manifests/settings.yaml': settings('1'),
  })) {
    if (!path.startsWith('base/')) continue;
    const file = join(dir, path.slice('base/'.length));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(
      file,
      text.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => values[name] ?? ''),
    );
  }
  return dir;
}

/** Two sites with a cluster each, and a third one whose API does not answer. Each step continues with the clusters of the step before. */
describeWith(['go', 'kubectl'], 'the configuration of running sites', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sno-install-apply-fleet-'));
  const names = ['north-1', 'north-2'] as const;
  const fleet = fleetFolder({ 'base/manifests/settings.yaml': settings('1') });
  const apis = new Map<string, LiveApi>();

  beforeAll(async () => {
    for (const [index, name] of names.entries()) {
      const own = join(folder, name);
      mkdirSync(own);
      const api = await liveApi(own);
      apis.set(name, api);
      await api.start();
      await createOpenShift(api);
      await bootstrapSite(api, siteFolder({ name, ip: `192.168.126.${10 + index}` }));
      mkdirSync(join(fleet, 'out', name, 'auth'), { recursive: true });
      writeFileSync(join(fleet, 'out', name, 'auth/kubeconfig'), api.kubeconfig(), { mode: 0o600 });
    }
  }, buildTimeoutMs);
  afterAll(async () => {
    for (const api of apis.values()) await api.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function run(...args: readonly string[]): readonly [number | null, string] {
    const { code, stdout } = sno(['fleet', ...args, '--dir', fleet]);
    return [code, stdout.replace(/ \(after .*?\)/, '')];
  }

  it('finds installed sites equal', () => {
    expect(run('drift')).toEqual([0, '2 sites: 2 equal\n']);
  });

  it('shows a change of the fleet and of a cluster, each with its sites', async () => {
    writeFileSync(join(fleet, 'base/manifests/settings.yaml'), settings('2'));
    await apis
      .get('north-2')
      ?.kubectl([
        'patch',
        'scheduler.config',
        'cluster',
        '--type=merge',
        '--patch={"spec":{"mastersSchedulable":false}}',
      ]);
    const metrics = join(folder, 'drift.prom');
    expect(run('drift', '--metrics', metrics)).toEqual([
      1,
      'SITE     OBJECTS  DIFFERENT\n' +
        'north-1        1  ConfigMap default/settings (changed)\n' +
        'north-2        2  Scheduler cluster (config.openshift.io) (changed), ConfigMap default/settings (changed)\n' +
        '2 sites: 2 different\n',
    ]);
    expect(readFileSync(metrics, 'utf8').replace(/seconds \d+/, 'seconds N')).toBe(
      [
        '# TYPE sno_site_drift_objects gauge',
        '# HELP sno_site_drift_objects Objects of the cluster that differ from the configuration.',
        'sno_site_drift_objects{site="north-1"} 1',
        'sno_site_drift_objects{site="north-2"} 2',
        '# TYPE sno_site_drift_compared gauge',
        '# HELP sno_site_drift_compared Whether the last comparison reached the cluster.',
        'sno_site_drift_compared{site="north-1"} 1',
        'sno_site_drift_compared{site="north-2"} 1',
        '# TYPE sno_drift_time_seconds gauge',
        '# UNIT sno_drift_time_seconds seconds',
        '# HELP sno_drift_time_seconds Time of the last comparison, in seconds since 1970.',
        'sno_drift_time_seconds N',
        '# EOF',
        '',
      ].join('\n'),
    );
    expect(JSON.parse(readFileSync(join(fleet, 'out/wait.json'), 'utf8'))).toMatchObject({
      sites: {
        'north-1': {
          condition: 'configuration-equal',
          state: 'not-reached',
          message: '1 object differs: ConfigMap default/settings (changed)',
        },
      },
    });
    expect(run('apply', '--diff')).toEqual([
      1,
      'all 2 sites\n' +
        '~ object ConfigMap default/settings\n' +
        '    data.a: 1 → 2\n' +
        '\n' +
        '1 site: north-2\n' +
        '~ object Scheduler cluster (config.openshift.io)\n' +
        '    conflict: field manager kubectl-patch: .spec.mastersSchedulable\n' +
        '    spec.mastersSchedulable: false → true\n' +
        '\n' +
        '2 differences in 2 of 2 sites: the sites and their clusters.\n' +
        'Run the command without --diff to apply the configuration.\n',
    ]);
  });

  it('applies the change, and reports the conflict of one site', () => {
    expect(run('apply', '--timeout', '5s')).toEqual([
      1,
      'SITES  LAST WORD\n' +
        '    1  applied, 1 configured, 12 unchanged (north-1)\n' +
        '    1  not reached: Scheduler cluster is not applied: conflict with field manager kubectl-patch: .spec.mastersSchedulable (north-2)\n' +
        '\n' +
        'applied: 2 sites: 1 reached, 1 not reached\n',
    ]);
    expect(run('apply', '--timeout', '5s', '--force-conflicts')).toEqual([
      0,
      'SITES  LAST WORD\n' +
        '    1  applied, 13 unchanged (north-1)\n' +
        '    1  applied, 1 configured, 12 unchanged (north-2)\n' +
        '\n' +
        'applied: 2 sites: 2 reached\n',
    ]);
    expect(run('drift')).toEqual([0, '2 sites: 2 equal\n']);
  });

  it('applies in waves, and stops after the canary that fails', async () => {
    for (const api of apis.values()) {
      const status = { apiVersion: 'v1', kind: 'ConfigMap', data: { status: 'complete' } };
      const metadata = { name: 'bootstrap', namespace: 'kube-system' };
      await api.kubectl(['apply', '--filename=-'], { ...status, metadata });
    }
    const plan = join(fleet, 'rollout.yaml');
    writeFileSync(plan, 'canary: { only: [north-1] }\nwave: 1\nuntil: bootstrap-complete\n');
    const valueAt = async (name: string): Promise<string | undefined> =>
      apis.get(name)?.kubectl(['get', 'configmap', 'settings', '-ojsonpath={.data.a}']);

    writeFileSync(join(fleet, 'base/manifests/settings.yaml'), settings('3'));
    await apis
      .get('north-1')
      ?.kubectl(['patch', 'configmap', 'settings', '--type=merge', '--patch={"data":{"a":"mine"}}']);
    const failed = sno(['fleet', 'apply', fleet, '--plan', plan, '--timeout', '5s']);
    expect([failed.code, failed.stdout]).toEqual([
      1,
      'WAVE    STATE    SITES\n' +
        'canary  failed   1 failed\n' +
        '1       pending  1 pending\n' +
        'stopped: 1 failed, 1 pending\n',
    ]);
    expect(failed.stderr).toContain('conflict with field manager kubectl-patch: .data.a');
    expect([await valueAt('north-1'), await valueAt('north-2')]).toEqual(['mine', '2']);

    const forced = run('apply', '--plan', plan, '--retry-failed', '--force-conflicts', '--timeout', '5s');
    expect(forced).toEqual([
      0,
      'WAVE    STATE  SITES\ncanary  done   1 done\n1       done   1 done\ncomplete: 2 done\n',
    ]);
    expect([await valueAt('north-1'), await valueAt('north-2')]).toEqual(['3', '3']);

    writeFileSync(join(fleet, 'base/manifests/settings.yaml'), settings('4'));
    expect(run('apply', '--plan', plan)[0]).toBe(0);
    expect([await valueAt('north-1'), await valueAt('north-2')]).toEqual(['4', '4']);
  });

  it.each([
    ['--plan and --diff', ['--plan', 'rollout.yaml', '--diff']],
    ['--retry-failed without --plan', ['--retry-failed']],
    ['an unknown wave with --plan', ['--plan', join(fleet, 'rollout.yaml'), '--wave', '10']],
  ])('rejects %s', (_name, options) => {
    expect(run('apply', ...options)[0]).toBe(2);
  });

  it('names a site whose API does not answer', async () => {
    await apis.get('north-2')?.stop();
    expect(run('drift')).toEqual([
      1,
      'not compared (1 site: north-2): the API does not answer: connection refused\n2 sites: 1 equal, 1 not compared\n',
    ]);
    expect(run('drift', '--only', 'north-1')).toEqual([0, '1 site: 1 equal\n']);
  });
});
