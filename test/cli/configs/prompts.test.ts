import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { expect, test } from 'vitest';

import { describeWith } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';
import { scaledMs } from '../../support/time-scale.js';

/** Runs `create install-config` on a new terminal and types these lines. */
function typed(
  lines: readonly string[],
  options = '',
  home = scratchFolder(),
  existing?: string,
  dir = join(scratchFolder(), 'site'),
): { readonly code: number | null; readonly shown: string; readonly config: string | undefined } {
  const path = join(dir, 'install-config.yaml');
  if (existing !== undefined) {
    mkdirSync(dir);
    writeFileSync(path, existing);
  }
  const command = `${process.execPath} ${resolve('dist/cli.js')} create install-config --dir ${dir} ${options}`;
  const { stdout, status: code } = spawnSync('script', ['-qec', command, '/dev/null'], {
    encoding: 'utf8',
    input: lines.map((line) => `${line}\n`).join(''),
    env: { PATH: process.env['PATH'], TERM: 'dumb', HOME: home },
    timeout: scaledMs(20_000),
  });
  return { code, shown: stdout, config: existsSync(path) ? readFileSync(path, 'utf8') : undefined };
}

/**
 * Runs `create install-config` on a new terminal and types each text once its prompt is shown. A signal is sent to the command at the
 * prompt after the last text.
 */
async function dialog(
  steps: readonly (readonly [prompt: string, text: string])[],
  stop?: { readonly prompt: string; readonly signal: NodeJS.Signals },
  dir = join(scratchFolder(), 'site'),
): Promise<ReturnType<typeof typed>> {
  const command = `echo PID $$; exec ${process.execPath} ${resolve('dist/cli.js')} create install-config --dir ${dir}`;
  const terminal = spawn('script', ['-qec', command, '/dev/null'], {
    env: { PATH: process.env['PATH'], TERM: 'dumb', HOME: scratchFolder() },
    timeout: scaledMs(20_000),
  });
  let shown = '';
  const waiting = [...steps];
  let isStopped = false;
  terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    const [step] = waiting;
    if (step === undefined && stop !== undefined && !isStopped && shown.includes(stop.prompt)) {
      isStopped = true;
      process.kill(Number(/PID (\d+)/.exec(shown)?.[1]), stop.signal);
    }
    if (step === undefined || !shown.includes(step[0])) return;
    waiting.shift();
    terminal.stdin.write(step[1]);
  });
  const [code] = (await once(terminal, 'close')) as [number | null];
  const path = join(dir, 'install-config.yaml');
  return { code, shown, config: existsSync(path) ? readFileSync(path, 'utf8') : undefined };
}

const later = /\(Enter to fill it in later\)/g;
const pullSecret = '{"auths":{"quay.io":{"auth":"dGhyb3dhd2F5OnRocm93YXdheQ=="}}}';
const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPmjS1O7wJXzLw6e0n0r9mDL8m1m3pYyq0xV5H6mJmEx throwaway';

describeWith(['script'], 'create install-config on a terminal', () => {
  test('prompts for values without an option and writes the answers', () => {
    const { code, shown, config } = typed([
      'edge7',
      ' example.com ',
      '192.168.126.0/24',
      '/dev/disk/by-id/wwn-0x1',
      '',
      '',
    ]);

    expect([code, shown.match(later)?.length]).toEqual([0, 6]);
    expect(config).toMatch(/^baseDomain: "?example\.com"?$/m);
    expect(config).toMatch(/name: "?edge7"?$/m);
    expect(config).toContain('192.168.126.0/24');
    expect(config).toMatch(/installationDisk: "?\/dev\/disk\/by-id\/wwn-0x1"?$/m);
    expect(shown).toContain('Fill in: pullSecret, sshKey.');
  });

  test('leaves empty answers open, and does not prompt for values of options', () => {
    const { shown, config } = typed(['', '', '', '', ''], '--name edge7');

    expect(shown.match(later)).toHaveLength(5);
    expect(shown).not.toContain('Cluster name');
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

  test('repeats a question until the answer is valid', () => {
    const { code, shown, config } = typed(['SITE_1', 'site-1', '', '10.128.0.0/16', '', 'sda', '', '', '']);

    expect(code).toBe(0);
    expect(shown.match(/error\[.*/g)?.map((line) => line.trim())).toEqual([
      'error[config/cluster-name]: metadata.name "SITE_1" is not a cluster name: it has upper-case letters',
      'error[config/network-overlap]: clusterNetwork[0] 10.128.0.0/14 overlaps machineNetwork[0] 10.128.0.0/16',
      'error[config/installation-disk]: installationDisk "sda" is not a path below /dev',
    ]);
    expect(shown.match(/Cluster name/g)).toHaveLength(2);
    expect(config).toMatch(/name: "?site-1"?$/m);
  });

  test('reads pull secret and key from files, and offers the key of the user', () => {
    const home = scratchFolder();
    mkdirSync(join(home, '.ssh'));
    writeFileSync(join(home, '.ssh/id_ed25519.pub'), `${key}\n`);
    writeFileSync(join(home, 'pull-secret.json'), `${pullSecret}\n`);
    const answers = ['~/missing.json', '~/pull-secret.json', ''];
    const { shown, config } = typed(
      answers,
      '--name a --base-domain b.c --machine-network 192.168.126.0/24 --installation-disk /dev/disk/by-id/x',
      home,
    );

    expect(shown).toContain(`pull secret ${home}/missing.json cannot be read: it does not exist`);
    expect(shown).toContain('(Enter for ~/.ssh/id_ed25519.pub, - to fill it in later)');
    expect(shown).toContain('All required values are set.');
    expect(config).toContain(`pullSecret: '${pullSecret}'\n`);
    expect(config).toContain(`sshKey: |\n  ${key}\n`);
  });

  test.each([
    { name: 'on one line', lines: pullSecret },
    { name: 'on several lines', lines: JSON.stringify(JSON.parse(pullSecret), null, 2) },
  ])('does not show a pull secret that is pasted $name', async ({ lines }) => {
    const { shown, config } = await dialog([
      ['Cluster name', 'a\n\n\n\n'],
      ['Pull secret', `${lines}\n`],
      ['SSH public key', '\n'],
    ]);

    expect(shown).toContain('(not shown)');
    expect(shown).not.toContain('auth');
    expect(shown).not.toContain('dGhyb3dh');
    expect(config).toMatch(/^pullSecret: '\{ ?"auths":.*dGhyb3dhd2F5OnRocm93YXdheQ==/m);
    expect(shown).toContain('bootstrapInPlace.installationDisk, sshKey.');
  });

  test('keeps the answers after Ctrl-C, offers them to the next run, and removes them at its end', async () => {
    const dir = join(scratchFolder(), 'site');
    const draft = join(dir, '.install-config.yaml.draft.json');
    const first = await dialog(
      [
        ['Cluster name', 'edge7\n'],
        ['Base domain', 'example.com\n'],
        ['Network of the node', '\u0003'],
      ],
      undefined,
      dir,
    );
    expect([first.code, first.config, statSync(draft).mode & 0o777]).toEqual([130, undefined, 0o600]);
    expect(JSON.parse(readFileSync(draft, 'utf8'))).toEqual({ name: 'edge7', baseDomain: 'example.com' });
    expect(first.shown).toContain(
      `Interrupted. The answers so far are kept in ${draft}; run the command again to continue.`,
    );

    const second = typed(['', 'example.net', '', '', '', ''], '', scratchFolder(), undefined, dir);
    expect(second.shown).toContain('Cluster name (Enter for edge7, - to leave it out): ');
    expect(second.shown).toContain('Base domain (Enter for example.com, - to leave it out): ');
    expect(second.config).toMatch(/name: "?edge7"?$/m);
    expect(second.config).toMatch(/^baseDomain: "?example\.net"?$/m);
    expect(readdirSync(dir)).toEqual(['install-config.yaml']);
  });

  test.each([
    { name: 'the end of the input', answers: [''], wantName: true },
    { name: 'a dash', answers: ['-'], wantName: false },
  ])('$name decides on a kept answer', ({ answers, wantName }) => {
    const dir = scratchFolder();
    writeFileSync(join(dir, '.install-config.yaml.draft.json'), '{"name":"edge7","baseDomain":"a.b"}');
    const { code, config } = typed(answers, '', scratchFolder(), undefined, dir);
    expect([
      code,
      /name: "?edge7"?$/m.test(config ?? ''),
      /^baseDomain: "?a\.b"?$/m.test(config ?? ''),
    ]).toEqual([0, wantName, true]);
  });

  test('does not keep a pasted pull secret', async () => {
    const dir = join(scratchFolder(), 'site');
    await dialog(
      [
        ['Cluster name', 'a\n\n\n\n'],
        ['Pull secret', `${pullSecret}\n`],
        ['SSH public key', '\u0003'],
      ],
      undefined,
      dir,
    );
    expect(readFileSync(join(dir, '.install-config.yaml.draft.json'), 'utf8')).toBe('{\n  "name": "a"\n}\n');
  });

  test.each([
    { name: 'is damaged', draft: '{"name":' },
    { name: 'contains control characters', draft: JSON.stringify({ name: 'edge\u001b[2J' }) },
    { name: 'is a list', draft: '["edge7"]' },
  ])('ignores a draft that $name', ({ draft }) => {
    const dir = scratchFolder();
    writeFileSync(join(dir, '.install-config.yaml.draft.json'), draft);
    const { shown, code } = typed(['edge8', '', '', '', '', ''], '', scratchFolder(), undefined, dir);
    expect([code, shown.match(/Cluster name .*?:/)?.[0]]).toEqual([
      0,
      'Cluster name (Enter to fill it in later):',
    ]);
  });

  test.each([
    { signal: 'SIGTERM', exitCode: 143 },
    { signal: 'SIGHUP', exitCode: 129 },
  ] as const)('keeps the answers after $signal', async ({ signal, exitCode }) => {
    const stop = { prompt: 'Base domain', signal };
    const { code, shown, config } = await dialog([['Cluster name', 'edge7\n']], stop);

    expect([code, config]).toEqual([exitCode, undefined]);
    expect(shown).toContain('Interrupted. The answers so far are kept in ');
  });

  test('writes no file after Ctrl-C without answers', async () => {
    const { code, shown, config } = await dialog([['Cluster name', '\u0003']]);

    expect([code, config]).toEqual([130, undefined]);
    expect(shown).not.toContain('bug');
  });

  test('does not prompt if the file exists, or if an option is wrong', () => {
    const wrong = typed([], '--name SITE_1');
    expect([wrong.code, wrong.config]).toEqual([1, undefined]);
    expect(wrong.shown).toContain('error[config/cluster-name]: --name:');
    expect(wrong.shown).not.toContain('Base domain');

    const existing = typed([], '', scratchFolder(), 'name: mine\n');
    expect([existing.code, existing.config]).toEqual([1, 'name: mine\n']);
    expect(existing.shown).not.toContain('Cluster name');
  });
});
