import { describe, expect, it } from 'vitest';

import { insidePath, lastRunsShape, warningShape, type LastRun } from '../../../src/disk/state/last-run.js';

const warning = { code: 'dir/state-exposed', message: 'others can read it', severity: 'warning' };
const least = {
  program: 'ab',
  questions: ['read a'],
  fingerprint: 'cd',
  outputs: [{ path: 'a/b', bytes: 0, mode: 0o600 }],
  warnings: [],
} satisfies LastRun;
const most = {
  ...least,
  warnings: [{ ...warning, at: { file: 'a' }, hint: 'mend it', asset: 'auth/kubeconfig' }],
  embedded: { bytes: 1, isExact: false, limitBytes: 2 },
  liveImage: { architecture: 'amd64', release: '4.18' },
  bootableFrom: '2026-01-02T03:04:05Z',
  bootableUntil: '2026-02-01T03:04:05Z',
};

it.each(['a', 'a/b', '.a'])('%j is a path below the directory', (path) => {
  expect(insidePath(path, 'at')).toBeUndefined();
});

it.each(['', '/a', '../a', 'a/../b', 'a//b', './a', 1])('%j is not a path below the directory', (path) => {
  expect(insidePath(path, 'at')).toEqual({ path: 'at', expected: 'a path below the directory' });
});

describe('a recorded warning', () => {
  it('has a code, a message and optionally a location', () => {
    expect([warning, ...most.warnings].map((each) => warningShape(each, 'w'))).toEqual([
      undefined,
      undefined,
    ]);
  });

  it.each<readonly [string, object, string]>([
    ['w.code', { code: 1 }, 'text'],
    ['w.message', { message: undefined }, 'text'],
    ['w.severity', { severity: 'error' }, '"warning"'],
    ['w.severity', { severity: true }, '"warning"'],
    ['w.at', { at: 'a' }, 'an object'],
    ['w.at.file', { at: {} }, 'text'],
    ['w.hint', { hint: 1 }, 'text'],
    ['w.asset', { asset: null }, 'text'],
  ])('is rejected at %s', (path, edit, expected) => {
    expect(warningShape({ ...warning, ...edit }, 'w')).toEqual({ path, expected });
  });
});

describe('records of the last runs', () => {
  it('are absent, or contain the inputs and problems of a run', () => {
    const all = [{}, { manifests: least }, { manifests: most, 'sno-config': least }];
    expect(all.map((each) => lastRunsShape(each, ''))).toEqual([undefined, undefined, undefined]);
    expect(
      lastRunsShape({ manifests: { ...most, liveImage: { architecture: 'amd64' } } }, ''),
    ).toBeUndefined();
  });

  const { embedded, liveImage } = most;
  const [output] = least.outputs;
  const aTime = 'an RFC 3339 time such as 2026-01-02T03:04:05Z';
  it.each<readonly [string, object, string]>([
    ['program', { program: undefined }, 'text'],
    ['questions', { questions: {} }, 'a list'],
    ['questions[0]', { questions: [1] }, 'text'],
    ['fingerprint', { fingerprint: undefined }, 'text'],
    ['outputs', { outputs: {} }, 'a list'],
    ['outputs[0]', { outputs: ['a'] }, 'an object'],
    ['outputs[0].path', { outputs: [{ ...output, path: '../a' }] }, 'a path below the directory'],
    ['outputs[0].bytes', { outputs: [{ ...output, bytes: -1 }] }, 'a whole number'],
    ['outputs[1].mode', { outputs: [output, { ...output, mode: '600' }] }, 'a whole number'],
    ['warnings', { warnings: undefined }, 'a list'],
    ['warnings[0].code', { warnings: [{ ...warning, code: 1 }] }, 'text'],
    ['embedded.bytes', { embedded: { ...embedded, bytes: 0.5 } }, 'a whole number'],
    ['embedded.isExact', { embedded: { ...embedded, isExact: 'yes' } }, 'true or false'],
    ['embedded.limitBytes', { embedded: { ...embedded, limitBytes: null } }, 'a whole number'],
    ['liveImage.architecture', { liveImage: { release: '4.18' } }, 'text'],
    ['liveImage.release', { liveImage: { ...liveImage, release: 4.18 } }, 'text'],
    ['bootableFrom', { bootableFrom: 'now' }, aTime],
    ['bootableUntil', { bootableUntil: 0 }, aTime],
  ])('are rejected at %s', (path, edit, expected) => {
    const runs = { manifests: { ...most, ...edit } };
    expect(lastRunsShape(runs, 'lastRuns')).toEqual({ path: `lastRuns.manifests.${path}`, expected });
  });
});
