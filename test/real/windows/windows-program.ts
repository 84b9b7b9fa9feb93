import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { builtBy } from '../../support/built-by.js';
import { scratchFolder } from '../../support/scratch.js';
import type { Exit } from '../../support/started-command.js';

/** The folder with a root that contains Wine, built once per machine by `wine/build`. */
export function wineFolder(): Promise<string> {
  return builtBy(join(import.meta.dirname, 'wine/build'), [], 'a root with Wine');
}

export interface RunningInWine {
  readonly kill: () => void;
  readonly exited: Promise<Exit>;
  /** Its stdout so far. */
  readonly said: () => string;
}

/**
 * Starts a Windows program in the folder `work`. Its input and output are files, because a Windows program cannot open a Linux pipe
 * that Wine passes to it.
 */
export function startedInWine(
  wine: string,
  work: string,
  program: string,
  args: readonly string[],
): RunningInWine {
  const talk = scratchFolder();
  const files = ['stdout', 'stderr'].map((name) => join(talk, name));
  const opened = files.map((file) => openSync(file, 'w'));
  const child = spawn(join(import.meta.dirname, 'wine/run'), [wine, work, program, ...args], {
    stdio: ['ignore', ...opened],
  });
  opened.forEach(closeSync);
  const [stdout, stderr] = files.map((file) => () => readFileSync(file, 'utf8'));
  if (stdout === undefined || stderr === undefined) throw new Error('no files to talk to');
  return {
    kill: () => child.kill('SIGKILL'),
    exited: once(child, 'close').then(([code]) => ({
      code: typeof code === 'number' ? code : null,
      stdout: stdout(),
      stderr: stderr(),
    })),
    said: stdout,
  };
}
