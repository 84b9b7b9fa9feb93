import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

/** The result of a run of the built command. */
export interface Exit {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts the built command in the background. */
export function startedCommand(args: readonly string[]): {
  readonly pid: () => number;
  readonly exited: Promise<Exit>;
} {
  const child = spawn(process.execPath, [resolve('dist/cli.js'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const exited = new Promise<Exit>((resolveEnd) => {
    child.once('close', (code) => {
      resolveEnd({ code, stdout, stderr });
    });
  });
  return { pid: () => child.pid ?? 0, exited };
}
