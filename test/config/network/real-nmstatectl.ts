import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { parse } from 'yaml';

/** The files that `nmstatectl gc` writes for a description, by name, or its error. */
export type RealAnswer = Readonly<Record<string, string>> | { readonly error: string };

/** The path of nmstatectl, built once per machine. */
export function builtNmstatectl(): string {
  const { status, stdout, stderr } = spawnSync(
    join(import.meta.dirname, '../../real/tools/build-nmstatectl'),
    {
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(`building nmstatectl ended with ${String(status)}:\n${stderr}`);
  return join(stdout.trim(), 'nmstatectl');
}

export function realKeyfiles(program: string, description: string): RealAnswer {
  const { status, stdout, stderr } = spawnSync(program, ['gc', '-'], {
    input: description,
    encoding: 'utf8',
  });
  if (status !== 0) return { error: stderr };
  const answer = parse(stdout) as { readonly NetworkManager?: readonly (readonly [string, string])[] };
  return Object.fromEntries(answer.NetworkManager ?? []);
}
