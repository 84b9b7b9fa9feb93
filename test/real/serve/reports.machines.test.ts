import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { reportTokenPath } from '../../../src/config/report/report-files.js';
import { decodeDataUrl } from '../../../src/formats/data-url.js';
import { parseJson } from '../../../src/formats/json.js';
import { listAt, textAt } from '../../../src/kube/fields.js';
import { keyedSite } from '../../cli/keyed-site.js';
import { liveIso } from '../../media/support/live-iso.js';
import { sno } from '../../support/command.js';
import { describeWith } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';
import { curl, serving, urlsIn } from '../../support/serving.js';
import { scaledMs } from '../../support/time-scale.js';

const config = 'bootstrap-in-place-for-live-iso.ign';

/** Writes the config's report files below /opt/openshift, and the script, to a new root. */
function layNode(ignition: string, url: string, ca: string): string {
  const root = scratchFolder();
  const home = join(root, 'opt/openshift');
  mkdirSync(home, { recursive: true });
  const files = listAt(parseJson(readFileSync(ignition, 'utf8')), ['storage', 'files']);
  const token = files.find((file) => textAt(file, ['path']) === reportTokenPath);
  writeFileSync(
    join(home, 'report-secret'),
    decodeDataUrl(textAt(token, ['contents', 'source']) ?? '') ?? '',
  );
  writeFileSync(join(home, 'report-url'), `${url}/report\n`);
  copyFileSync(ca, join(home, 'report-ca.crt'));
  writeFileSync(join(home, 'sno-install.env'), '');
  return root;
}

function record(root: string, service: string, entries: readonly object[]): void {
  mkdirSync(join(root, 'var/log/openshift'), { recursive: true });
  writeFileSync(join(root, `var/log/openshift/${service}.json`), JSON.stringify(entries));
}

/** Runs the real script until the test ends. */
function reporter(
  root: string,
  system: 'live' | 'node',
): { readonly said: () => string; readonly end: () => void } {
  const child = spawn('bash', [resolve('templates/report/usr/local/bin/sno-report.sh'), system], {
    env: { PATH: process.env['PATH'], SNO_ROOT: root },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (text: Buffer) => (said += text.toString()));
  const end = (): void => {
    child.kill('SIGTERM');
  };
  onTestFinished(end);
  return { said: () => said, end };
}

describeWith(['bash', 'curl', 'jq'], 'the script of a node and the server', () => {
  test(
    'shows the reports of the node over TLS, also after a restart of the server',
    { timeout: scaledMs(240_000) },
    async () => {
      const laid = await keyedSite();
      const text = readFileSync(join(laid(), 'sno-config.yaml'), 'utf8');
      const folder = laid({
        'live.iso': liveIso(),
        'sno-config.yaml': `${text}report: { url: 'https://boot.example.com:8443' }\n`,
      });
      expect(sno(['create', 'single-node-ignition-config', '--dir', '.'], { cwd: folder })).toMatchObject({
        code: 0,
      });
      mkdirSync(join(folder, 'out/north-1'), { recursive: true });
      copyFileSync(join(folder, config), join(folder, 'out/north-1', config));

      const first = await serving(folder, ['out']);
      const { page } = urlsIn(folder, first.url, ['out']);
      const shown = (url: string): string => {
        const at = page.replace(/^https:\/\/[^/]+/, url);
        return curl(
          folder,
          at,
          '--location',
          '--cookie',
          'cookies',
          '--cookie-jar',
          'cookies',
        ).body.toString();
      };
      const root = layNode(join(folder, config), first.url, join(folder, 'ca.pem'));
      const at = `${new Date().toISOString().slice(0, 19)}Z`;
      record(root, 'bootkube', [
        {
          timestamp: at,
          stage: 'mco-bootstrap',
          phase: 'stage end',
          result: 'failure',
          errorMessage: 'words of a program',
        },
      ]);
      const live = reporter(root, 'live');
      await expect
        .poll(() => shown(first.url), { timeout: scaledMs(60_000) })
        .toContain('bootkube mco-bootstrap failed');
      expect(shown(first.url)).toContain('data-site="north-1" data-phase="failed"');
      record(root, 'bootkube', [{ timestamp: at, stage: 'cco-bootstrap', phase: 'stage start' }]);
      await expect
        .poll(() => shown(first.url), { timeout: scaledMs(60_000) })
        .toContain('bootkube cco-bootstrap started');
      live.end();
      expect(live.said()).toBe('');
      const token = readFileSync(join(root, 'opt/openshift/report-secret'), 'utf8').trim();
      expect(first.said()).toContain('north-1/report');
      expect(first.said()).not.toContain(token);
      await first.stop();
      expect(readFileSync(join(folder, '.sno-install-serve.json.reports'), 'utf8')).not.toContain('words of');

      const second = await serving(folder, ['out']);
      expect(shown(second.url)).toContain('data-site="north-1" data-phase="installing"');
      writeFileSync(join(root, 'opt/openshift/report-url'), `${second.url}/report\n`);
      writeFileSync(join(root, 'opt/openshift/report-secret'), 'ThrowawayTokenOfNobody\n');
      const stranger = reporter(root, 'node');
      await expect.poll(stranger.said, { timeout: scaledMs(60_000) }).toContain('401');
      stranger.end();
      expect(shown(second.url)).toContain('data-phase="installing"');
    },
  );
});
