import { chmodSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { readPlan } from '../../src/disk/pending-plan.js';
import { scratchFolder } from '../support/scratch.js';
import { replaceFsCalls } from '../support/other-system.js';

const staging = '.sno-install-pending';
const plan = `${staging}/plan.json`;
const steps = [{ path: 'auth/kubeconfig', staged: '0' }, { path: 'b', staged: '12' }, { path: 'gone' }];

let root = '';
const at = (path: string): string => join(root, path);

beforeEach(() => {
  root = scratchFolder();
  mkdirSync(at(staging), { mode: 0o700 });
  for (const name of ['0', '12']) writeFileSync(join(at(staging), name), 'x', { mode: 0o600 });
  planIs(JSON.stringify(steps));
});

function planIs(text: string): void {
  writeFileSync(at(plan), text, { mode: 0o600 });
}

/** Code, file, reason and hint of a plan that is rejected. */
function refusal(): readonly (string | undefined)[] {
  const read = readPlan(root);
  if (read.ok) return ['is believed'];
  return read.problems.flatMap(({ code, message, at: place, hint }) => {
    expect(hint).toBe(`look at ${staging}; if you do not need it, delete it and run the command again`);
    const [start, ...reason] = message.split(': ');
    expect(start).toBe(`${String(place?.file)}, apparently left by an interrupted run, cannot be used`);
    return [code, place?.file, reason.join(': ')];
  });
}

describe('the decision of a run', () => {
  it('is the plan, with staged or renamed files', () => {
    expect(readPlan(root)).toMatchObject({ ok: true, value: steps });
    rmSync(join(at(staging), '12'));
    expect(readPlan(root)).toMatchObject({ ok: true, value: steps });
  });

  it.each([
    ['no folder', staging, undefined],
    [
      'a file in its place',
      staging,
      () => {
        writeFileSync(at(staging), '');
      },
    ],
    ['no plan', plan, undefined],
    [
      'a link to a folder',
      staging,
      () => {
        mkdirSync(at('other'));
        writeFileSync(at('other/plan.json'), '[]');
        symlinkSync('other', at(staging));
      },
    ],
  ])('is absent with %s', (_name, path, make) => {
    rmSync(at(path), { recursive: true });
    make?.();
    expect(readPlan(root)).toMatchObject({ ok: true, value: undefined });
  });
});

describe('rejects a plan', () => {
  it.each([
    ['', 'it is not JSON'],
    ['{"path":', 'it is not JSON'],
    ['{}', 'it is not a plan of sno-install'],
    ['null', 'it is not a plan of sno-install'],
    ['[null]', 'it is not a plan of sno-install'],
    ['["a"]', 'it is not a plan of sno-install'],
    ['[{}]', 'it is not a plan of sno-install'],
    ['[{"path":1}]', 'it is not a plan of sno-install'],
    ['[{"path":"a"},{"path":"b","staged":0}]', 'it is not a plan of sno-install'],
    ['[{"path":"a","staged":"x0"}]', 'it is not a plan of sno-install'],
    ['[{"path":"a","staged":"0x"}]', 'it is not a plan of sno-install'],
    ['[{"path":"a","staged":"../0"}]', 'it is not a plan of sno-install'],
    ['[{"path":"a","staged":""}]', 'it is not a plan of sno-install'],
    ['[{"path":"a"},{"path":"../b"}]', '"../b" is not a path below the directory'],
    ['[{"path":"/etc/passwd","staged":"0"}]', '"/etc/passwd" is not a path below the directory'],
  ])('%s', (text, reason) => {
    planIs(text);
    expect(refusal()).toEqual(['dir/untrusted', plan, reason]);
  });

  it('if it is a folder or a link', () => {
    rmSync(at(plan));
    mkdirSync(at(plan));
    expect(refusal()).toEqual(['dir/untrusted', plan, 'it is not a regular file']);
    rmSync(at(plan), { recursive: true });
    symlinkSync('0', at(plan));
    expect(refusal()).toEqual(['dir/untrusted', plan, 'it is not a regular file']);
  });

  it.each([
    [staging, 0o770],
    [plan, 0o602],
    [`${staging}/0`, 0o620],
    [`${staging}/12`, 0o646],
  ])('if other users can write %s', (path, mode) => {
    chmodSync(at(path), mode);
    const reason = `other users can write to it (mode 0${mode.toString(8)})`;
    expect(refusal()).toEqual(['dir/untrusted', path, reason]);
  });

  it.each([staging, plan, `${staging}/0`])('if %s belongs to another user', (path) => {
    const stranger = statSync(root).uid + 7;
    replaceFsCalls(({ lstatSync }) => ({
      lstatSync: ((name: string, options: object) => {
        const stats = lstatSync(name, options);
        return name === at(path) ? Object.assign(stats, { uid: stranger }) : stats;
      }) as typeof lstatSync,
    }));
    const reason = `it belongs to user ${stranger}, neither you nor the owner of its folder`;
    expect(refusal()).toEqual(['dir/untrusted', path, reason]);
  });

  it('if a staged file is a link', () => {
    rmSync(join(at(staging), '12'));
    symlinkSync('/etc/passwd', join(at(staging), '12'));
    expect(refusal()).toEqual(['dir/untrusted', `${staging}/12`, 'it is not a regular file']);
  });
});
