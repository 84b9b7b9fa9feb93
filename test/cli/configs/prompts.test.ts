import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { expect, test } from 'vitest';

import { describeWith } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';
import { scaledMs } from '../../support/time-scale.js';

/** Runs `create install-config` on a new terminal and types these lines. */
function typed(
  lines: readonly string[],
  options = '',
): { readonly code: number | null; readonly shown: string; readonly config: string | undefined } {
  const dir = join(scratchFolder(), 'site');
  const command = `${process.execPath} ${resolve('dist/cli.js')} create install-config --dir ${dir} ${options}`;
  const { stdout, status: code } = spawnSync('script', ['-qec', command, '/dev/null'], {
    encoding: 'utf8',
    input: lines.map((line) => `${line}\n`).join(''),
    env: { PATH: process.env['PATH'], TERM: 'dumb' },
    timeout: scaledMs(20_000),
  });
  const path = join(dir, 'install-config.yaml');
  return { code, shown: stdout, config: existsSync(path) ? readFileSync(path, 'utf8') : undefined };
}

const questions = /\(Enter to fill it in later\)/g;

describeWith(['script'], 'create install-config on a terminal', () => {
  test('prompts for values without an option and writes the answers', () => {
    const { shown, config } = typed([
      'edge7',
      ' example.com ',
      '192.168.126.0/24',
      '/dev/disk/by-id/wwn-0x1',
    ]);

    expect(shown.match(questions)).toHaveLength(4);
    expect(config).toMatch(/^baseDomain: "?example\.com"?$/m);
    expect(config).toMatch(/name: "?edge7"?$/m);
    expect(config).toContain('192.168.126.0/24');
    expect(config).toMatch(/installationDisk: "?\/dev\/disk\/by-id\/wwn-0x1"?$/m);
    expect(shown).toContain('Fill in: pullSecret, sshKey.');
  });

  test('leaves empty answers open, and does not prompt for values of options', () => {
    const { shown, config } = typed(['', '', ''], '--name edge7');

    expect(shown.match(questions)).toHaveLength(3);
    expect(shown).not.toContain('Name of the cluster');
    expect(config).toMatch(/name: "?edge7"?$/m);
    expect(shown).toContain(
      'Fill in: baseDomain, networking.machineNetwork, bootstrapInPlace.installationDisk, pullSecret, sshKey.',
    );
  });

  test('treats the end of the input as empty answers', () => {
    const { code, config } = typed(['edge7']);

    expect(code).toBe(0);
    expect(config).toMatch(/name: "?edge7"?$/m);
  });

  test('writes no file after Ctrl-C', async () => {
    const dir = join(scratchFolder(), 'site');
    const command = `${process.execPath} ${resolve('dist/cli.js')} create install-config --dir ${dir}`;
    const terminal = spawn('script', ['-qec', command, '/dev/null'], { env: { PATH: process.env['PATH'] } });
    let shown = '';
    terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (!shown.includes('Name of') && `${shown}${text}`.includes('Name of')) terminal.stdin.write('\u0003');
      shown += text;
    });
    const [code] = (await once(terminal, 'close')) as [number | null];

    expect([code, existsSync(dir)]).toEqual([130, false]);
    expect(shown).not.toContain('bug');
  });

  test('judges an answer as it judges an option', () => {
    const { shown, config } = typed(['SITE_1', '', '', '']);

    expect(shown).toContain('error[config/cluster-name]: --name:');
    expect(config).toBeUndefined();
  });
});
