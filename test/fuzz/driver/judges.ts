import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { accessSync, constants } from 'node:fs';

import { systemdRefusals } from './systemd-judge.js';

/** An accepted text, or an output made from one, and the program that must accept it. */
export interface Output {
  readonly judge: JudgeName;
  readonly text: string;
}

/** Real programs that read the product's output. */
export type JudgeName = 'ignition-validate' | 'go-yaml' | 'kubernetes-yaml' | 'systemd';

/** Error messages of the program, one per text; undefined for an accepted text. */
export type Judge = (texts: readonly string[]) => readonly (string | undefined)[];

/** The installed programs. */
export function judgesHere(): ReadonlyMap<JudgeName, Judge> {
  const judges = new Map<JudgeName, Judge>();
  const path = (process.env['PATH'] ?? '').split(delimiter);
  const ignition = programIn(path, 'ignition-validate');
  if (ignition !== undefined)
    judges.set('ignition-validate', (texts) => texts.map((text) => ignitionRefusal(ignition, text)));
  if (programIn(path, 'systemd-analyze') !== undefined) judges.set('systemd', systemdRefusals);
  const readers = goReaders();
  if (readers !== undefined) {
    judges.set('go-yaml', (texts) => goRefusals(readers, 'go-yaml', texts));
    judges.set('kubernetes-yaml', (texts) => goRefusals(readers, 'sigs.k8s.io/yaml', texts));
  }
  return judges;
}

function ignitionRefusal(program: string, text: string): string | undefined {
  const { status, stdout, stderr } = spawnSync(program, ['-'], { input: text, encoding: 'utf8' });
  return status === 0 ? undefined : `${stdout}${stderr}`.trim();
}

/** Source of the protocol: test/real/tools/go-readers */
function goRefusals(
  program: string,
  reader: string,
  texts: readonly string[],
): readonly (string | undefined)[] {
  const input = JSON.stringify(texts.map((text) => ({ reader, text })));
  const { status, stdout, stderr } = spawnSync(program, { input, encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(`go-readers ended with ${String(status)}: ${stderr.slice(0, 500)}`);
  const answers = JSON.parse(stdout) as readonly { readonly error: string }[];
  return texts.map((_text, index) => (answers[index]?.error === '' ? undefined : answers[index]?.error));
}

/** The latest build of `test/real/tools/build go-readers`. */
function goReaders(): string | undefined {
  const tools = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'sno-install/tools');
  const folders = namesIn(tools).filter((name) => /^go-readers-[0-9a-f]+$/.test(name));
  return programIn(
    folders.map((name) => join(tools, name)),
    'go-readers',
  );
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function programIn(folders: readonly string[], name: string): string | undefined {
  return folders
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
