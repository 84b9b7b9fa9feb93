import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import process from 'node:process';

import { onTestFinished } from 'vitest';

/** Replaces calls of node:fs until the test ends. The replacements receive the real calls. */
export function replaceFsCalls(calls: (real: typeof fs) => Partial<typeof fs>): void {
  replace(fs, calls({ ...fs }));
}

/** The same for node:net, which creates sockets and pipes. */
export function replaceNetCalls(calls: (real: typeof net) => Partial<typeof net>): void {
  replace(net, calls({ ...net }));
}

/** Until the test ends, the process appears to run as another user or on another platform. */
export function processIs(facts: {
  readonly geteuid?: () => number;
  readonly platform?: NodeJS.Platform;
}): void {
  replace(process, facts);
}

function replace(module: object, facts: object): void {
  const before = Object.keys(facts).map(
    (name) => [name, Object.getOwnPropertyDescriptor(module, name) ?? {}] as const,
  );
  const now = new Map<string, unknown>(Object.entries(facts));
  for (const [name, descriptor] of before)
    Object.defineProperty(module, name, { ...descriptor, value: now.get(name) });
  syncBuiltinESMExports();
  onTestFinished(() => {
    for (const [name, descriptor] of before) Object.defineProperty(module, name, descriptor);
    syncBuiltinESMExports();
  });
}

/** An error like that of a failed system call. */
export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: as the system says`), { code });
}

export function failing(code: string): () => never {
  return () => {
    throw systemError(code);
  };
}

/** The file descriptors that are open; updated until the test ends. */
export function trackOpenFiles(): ReadonlySet<number> {
  const open = new Set<number>();
  replaceFsCalls(({ openSync, closeSync }) => ({
    openSync: (...args) => {
      const file = openSync(...args);
      open.add(file);
      return file;
    },
    closeSync: (file) => {
      open.delete(file);
      closeSync(file);
    },
  }));
  return open;
}
