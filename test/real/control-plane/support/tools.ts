import { join } from 'node:path';

import { describe } from 'vitest';

import { builtBy } from '../../../support/built-by.js';
import { describeWith, isRoot, pathOfProgram } from '../../../support/programs.js';
import { scaledMs } from '../../../support/time-scale.js';

/** The sets of programs that `test/real/tools/build` can build. */
export type ToolSet =
  | 'kubernetes'
  | 'containerd'
  | 'cni-plugins'
  | 'coredns'
  | 'etcd'
  | 'programs'
  | 'butane'
  | 'stub-release'
  | 'etcdutl'
  | 'go-readers'
  | 'age'
  | 'sigstore'
  | 'versitygw';

/** Timeout of a hook that builds tools. Kubernetes took 4 min 20 s on two cores with an empty build cache. */
export const buildTimeoutMs = scaledMs(30 * 60_000);

/** Timeout of a test that starts a machine and waits for programs on it. */
export const machineTimeoutMs = scaledMs(15 * 60_000);

/** A suite that runs programs built from Go modules on machines made of namespaces. It needs Go, root and a few packages. */
export function describeWithMachine(title: string, suite: () => void): void {
  if (isRoot() || process.env['CI'] !== undefined)
    describeWith([hasGo ? 'bash' : 'go', 'runc', 'nft', 'ip', 'unshare'], title, suite);
  else describe.skip(`${title} (needs root: run the tests with sudo)`, suite);
}

/** Whether the Go compiler is installed. */
export const hasGo = ['go', '/usr/local/go/bin/go'].some((name) => pathOfProgram(name) !== undefined);

/** The folder of a set's programs, built once per machine. */
export function toolFolder(set: ToolSet): Promise<string> {
  return builtBy(join(import.meta.dirname, '../../tools/build'), [set], set);
}

export async function toolPath(set: ToolSet, program: string): Promise<string> {
  return join(await toolFolder(set), program);
}
