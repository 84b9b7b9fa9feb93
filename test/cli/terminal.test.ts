import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { openSync, closeSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { describe, expect, it } from 'vitest';

import { styleFor } from '../../src/cli/output/colour.js';
import { plainStyle, renderProblem } from '../../src/core/render-problem.js';
import { problem } from '../../src/core/problem.js';
import { snoInProcess } from '../support/in-process.js';
import { describeWith } from '../support/programs.js';
import { scratchFolder } from '../support/scratch.js';

describe('colour', () => {
  const terminal = { isTTY: true, hasColors: () => true };
  it.each([
    { name: 'a file', screen: {} },
    { name: 'a terminal that wants none', screen: { isTTY: true, hasColors: () => false } },
  ])('stays away from $name', ({ screen }) => {
    expect(styleFor(screen)).toBe(plainStyle);
  });

  it('sets the parts of a problem apart and adds no word', () => {
    const found = problem('config/replicas', 'wrong', { at: { file: 'a', line: 1, col: 1 }, hint: 'right' });
    const painted = renderProblem(found, undefined, styleFor(terminal));
    expect(painted).toContain('\u001b[31m');
    expect(painted.replace(/\u001b\[\d+m/g, '')).toBe(renderProblem(found));
  });

  describeWith(['script'], 'on a real terminal', () => {
    const shown = (variables: Record<string, string>, line = 'validate'): string => {
      const command = `${process.execPath} ${resolve('dist/cli.js')} ${line} --dir /proc/self/nothing`;
      const env = { PATH: process.env['PATH'], TERM: 'xterm-256color', ...variables };
      return spawnSync('script', ['-qec', command, '/dev/null'], { encoding: 'utf8', env }).stdout;
    };
    it('is there, and not with NO_COLOR', () => {
      expect(shown({})).toContain('\u001b[31m');
      expect(shown({ NO_COLOR: '1' })).not.toContain('\u001b[3');
    });

    it('is there for a wait too', () => {
      expect(shown({}, 'wait-for node-ready')).toContain('\u001b[1m\u001b[31merror[usage/unreadable-file]');
    });
  });
});

describe('a message of an input', () => {
  it('has no way to the terminal but as text', () => {
    const found = problem('config/replicas', 'a \u001b]0;title\u0007 b', { at: { file: 'x\u001b[2J' } });
    expect(renderProblem(found)).toBe('error[config/replicas]: a ·]0;title· b\n  --> x·[2J');
  });
});

describe('a result that cannot be written', () => {
  it('exits with 3 and a message', () => {
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(process.execPath, [resolve('dist/cli.js'), 'graph'], {
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    closeSync(full);
    expect([status, stderr]).toEqual([3, 'sno-install: cannot write to stdout: ENOSPC\n']);
  });
});

describe('--version', () => {
  it('prints the version alone', async () => {
    expect(await snoInProcess(['--version'])).toMatchObject({ code: 0, stdout: '0.1.0\n', stderr: '' });
  });
});

describe('a reader that goes away before the result', () => {
  it.each([
    { name: 'is no error', right: 'a.ign', output: 'json', want: 0 },
    { name: 'leaves the answer of a comparison', right: 'b.ign', output: 'json', want: 1 },
    { name: 'leaves that of one for people', right: 'b.ign', output: 'text', want: 1 },
  ])('$name', async ({ right, output, want }) => {
    const folder = scratchFolder();
    const config = (path: string): string =>
      `{"ignition":{"version":"3.2.0"},"storage":{"files":[{"path":"${path}"}]}}`;
    writeFileSync(join(folder, 'a.ign'), config('/a'));
    writeFileSync(join(folder, 'b.ign'), config('/b'));
    const args = [resolve('dist/cli.js'), 'diff', 'a.ign', right, '--output', output];
    const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    child.stderr.resume();
    await once(child, 'close');
    expect(child.exitCode).toBe(want);
  });
});
