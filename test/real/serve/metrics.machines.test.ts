import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { serializeRolloutState } from '../../../src/fleet/rollout/rollout-state.js';
import { keyedSite } from '../../cli/keyed-site.js';
import { liveIso } from '../../media/support/live-iso.js';
import { sno } from '../../support/command.js';
import { freePort } from '../../support/ports.js';
import { describeWith, pathOfProgram } from '../../support/programs.js';
import { curl, serving, urlsIn } from '../../support/serving.js';
import { scaledMs } from '../../support/time-scale.js';

const config = 'bootstrap-in-place-for-live-iso.ign';

/** Outputs of one site in `out/`, with the summary of a fleet. */
async function siteFolder(): Promise<string> {
  const folder = (await keyedSite())({ 'live.iso': liveIso() });
  expect(sno(['create', 'single-node-ignition-config', '--dir', '.'], { cwd: folder })).toMatchObject({
    code: 0,
  });
  mkdirSync(join(folder, 'out/north-1'), { recursive: true });
  copyFileSync(join(folder, config), join(folder, 'out/north-1', config));
  const summary = {
    version: 2,
    target: 'single-node-ignition-config',
    program: { version: '0.1.0' },
    sites: [{ name: 'north-1', result: 'created', bootableUntil: '2026-12-02T03:04:05Z' }],
  };
  writeFileSync(join(folder, 'out/fleet.json'), JSON.stringify(summary));
  const at = { startedAt: '2026-11-02T03:00:00Z', finishedAt: '2026-11-02T03:50:00Z' };
  const rollout = serializeRolloutState({
    operation: 'boot',
    until: 'install-complete',
    plan: '0'.repeat(64),
    state: 'complete',
    startedAt: at.startedAt,
    updatedAt: at.finishedAt,
    waves: [{ name: '1', state: 'done', ...at }],
    sites: new Map([['north-1', { wave: '1', state: 'done', attempts: 1, ...at }]]),
  });
  writeFileSync(join(folder, 'out/rollout.json'), rollout);
  return folder;
}

/** Writes the files that docs/fleet-rollout.md shows for Prometheus, for the server at this port. */
function writePrometheusFiles(folder: string, port: number): void {
  const page = readFileSync('docs/fleet-rollout.md', 'utf8');
  for (const [, name = '', text = ''] of page.matchAll(/```yaml\n# (\S+\.yml)\n([^]*?)```/g))
    writeFileSync(join(folder, name), text.replace('boot.example.com:8443', `127.0.0.1:${port}`));
  const config = join(folder, 'prometheus.yml');
  writeFileSync(config, `global: { scrape_interval: 1s }\n${readFileSync(config, 'utf8')}`);
}

function promtool(args: readonly string[], cwd: string, input = ''): string {
  const { status, stdout, stderr } = spawnSync(pathOfProgram('promtool') ?? '', args, {
    cwd,
    input,
    encoding: 'utf8',
  });
  return `${status} ${stdout}${stderr}`;
}

/** Runs Prometheus until the test ends. Returns its query API. */
async function prometheus(folder: string): Promise<(path: string) => Promise<unknown>> {
  const address = `127.0.0.1:${await freePort()}`;
  const args = [
    '--config.file=prometheus.yml',
    '--storage.tsdb.path=data',
    `--web.listen-address=${address}`,
  ];
  const child = spawn(pathOfProgram('prometheus') ?? '', args, { cwd: folder, stdio: 'ignore' });
  const exited = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  return async (path) => {
    const answer = await fetch(`http://${address}/api/v1/${path}`).catch(() => undefined);
    return answer?.ok === true ? ((await answer.json()) as { data: unknown }).data : undefined;
  };
}

describeWith(['curl', 'prometheus', 'promtool'], 'Prometheus and the metrics of serve', () => {
  test(
    'accepts both formats and scrapes the server over TLS with its token',
    { timeout: scaledMs(120_000) },
    async () => {
      const folder = await siteFolder();
      const server = await serving(folder, ['out']);
      const { metrics } = urlsIn(folder, server.url, ['out']);
      const token = ['--header', `Authorization: Bearer ${metrics.token}`];
      const plain = curl(folder, metrics.url, ...token).body.toString();
      expect(promtool(['check', 'metrics'], folder, plain)).toBe('0 ');
      expect(plain).toContain('sno_install_sites{phase="created"} 1\n');

      copyFileSync(join(folder, 'ca.pem'), join(folder, 'sno-install-ca.pem'));
      writeFileSync(join(folder, 'sno-install.token'), metrics.token);
      writePrometheusFiles(folder, server.port);
      expect(promtool(['check', 'config', 'prometheus.yml'], folder)).toMatch(/^0 /);
      const ask = await prometheus(folder);
      const value = async (query: string): Promise<unknown> => {
        const found = await ask(`query?query=${encodeURIComponent(query)}`);
        const { result = [] } = (found ?? {}) as { result?: { metric: object; value: [number, string] }[] };
        return result.map((each) => [each.metric, each.value[1]]);
      };
      const limit = { timeout: scaledMs(60_000) };
      const labels = { instance: `127.0.0.1:${server.port}`, job: 'sno-install' };
      await expect
        .poll(() => value('sno_install_sites{phase="created"}'), limit)
        .toEqual([[{ __name__: 'sno_install_sites', phase: 'created', ...labels }, '1']]);
      expect(await value('max(sno_install_certificate_expiry_timestamp_seconds{site="north-1"})')).toEqual([
        [{}, '1796180645'],
      ]);
      await expect
        .poll(() => value('max(sno_install_http_responses_total{code="200"}) > 1'), limit)
        .not.toEqual([]);
      const duration = 'sno_install_rollout_site_duration_seconds';
      expect(await value(`max(histogram_quantile(1, ${duration}_bucket))`)).toEqual([[{}, '3600']]);
      expect(await value('max(sno_install_rollout_state{sno_install_rollout_state="complete"})')).toEqual([
        [{}, '1'],
      ]);
      // The type of a family without suffix is known only from OpenMetrics.
      expect(await ask('metadata?metric=sno_install_build')).toEqual({
        sno_install_build: [{ type: 'info', unit: '', help: 'Version of the server.' }],
      });
      expect(server.said()).toContain(' GET metrics 200, ');
      expect(server.said()).not.toContain(metrics.token);
    },
  );
});
