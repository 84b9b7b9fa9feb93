import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The built command; `npm test` builds it first. */
const commandPath = resolve('dist/cli.js');

export interface CommandResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  readonly cwd?: string;
  readonly variables?: Readonly<Record<string, string>>;
  /** Arguments for node itself. */
  readonly nodeArguments?: readonly string[];
  readonly input?: string;
  /** Redirects stdout to this file. The result then has no stdout. */
  readonly stdoutTo?: string;
}

/** Runs the built command like a user, with only the given input variables. */
export function sno(args: readonly string[], options: CommandOptions = {}): CommandResult {
  if (!existsSync(commandPath)) throw new Error('dist/cli.js is missing: run `npm run build`');
  const file = options.stdoutTo === undefined ? undefined : openSync(options.stdoutTo, 'w');
  const { status, signal, stdout, stderr } = spawnSync(
    process.execPath,
    [...(options.nodeArguments ?? []), commandPath, ...args],
    {
      cwd: options.cwd,
      encoding: 'utf8',
      input: options.input ?? '',
      env: { PATH: process.env['PATH'], HOME: '/nonexistent', ...options.variables },
      maxBuffer: 64 * 1024 * 1024,
      ...(file !== undefined && { stdio: ['pipe', file, 'pipe'] }),
    },
  );
  if (file !== undefined) closeSync(file);
  return { code: status, signal, stdout, stderr };
}

/** Contents and permission bits of every file below a folder, by path. */
export function snapshot(folder: string): Readonly<Record<string, string>> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  const files = paths.filter((path) => statSync(join(folder, path)).isFile());
  return Object.fromEntries(
    files.map((path) => {
      const mode = (statSync(join(folder, path)).mode & 0o7777).toString(8);
      return [path, `${mode} ${readFileSync(join(folder, path), 'latin1')}`];
    }),
  );
}
