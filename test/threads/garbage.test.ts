import { spawnSync } from 'node:child_process';

import { expect, test } from 'vitest';

import { collectAlone, collectOften, keepYoungSpace } from '../../src/threads/garbage.js';
import { widenedCode } from '../support/young-space.js';

test.each([
  ['--heap-growing-percent=60', collectOften],
  ['--no-parallel-scavenge', collectAlone],
  ['--semi-space-growth-factor=1', keepYoungSpace],
])('this release of Node.js knows %s, and takes it while it runs', (flag, collect) => {
  // Refuses to start with a flag that it does not know; one that is said to a running program would come to nothing unseen.
  const known = spawnSync(process.execPath, [flag, '--eval', ''], { encoding: 'utf8' });
  expect([known.status, known.stderr]).toEqual([0, '']);
  expect(collect).not.toThrow();
});

const kept = "require('node:v8').setFlagsFromString('--semi-space-growth-factor=1');";

function megabytesOf(program: string): number {
  const { stdout, stderr } = spawnSync(process.execPath, ['--eval', `${widenedCode}\n${program}`], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return Number(stdout);
}

test('room for young garbage that is to stay as it is does so in a program that runs', () => {
  expect(megabytesOf('console.log(widened());')).toBeGreaterThan(8);
  expect(megabytesOf(`${kept} console.log(widened());`)).toBeLessThanOrEqual(4);
});

test('a thread that starts takes that back before Node.js 24, unless it says the same', () => {
  const beside = (said: string): number =>
    megabytesOf(`
      ${kept}
      const { Worker } = require('node:worker_threads');
      const thread = "require('node:worker_threads').parentPort.postMessage('it runs');";
      const worker = new Worker(${JSON.stringify(said)} + thread, { eval: true });
      worker.on('message', () => console.log(widened()));`);
  const [release] = process.versions.node.split('.').map(Number);
  expect(beside('') > 8).toBe((release ?? 0) < 24);
  expect(beside(kept)).toBeLessThanOrEqual(4);
});
