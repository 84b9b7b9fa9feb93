import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The recorded calls of a machine's stubs: program and arguments, with paths as on the machine. */
export function recordedCalls(stub: string, root: string): readonly (readonly string[])[] {
  // A record separator ends each call, a unit separator each argument. Arguments contain neither.
  const calls = readFileSync(join(stub, 'calls'), 'utf8').replaceAll(root, '').split('\u001e');
  return calls.slice(0, -1).map((call) => call.split('\u001f'));
}

/** The calls of one program: arguments joined by blanks. */
export function callsOf(program: string, stub: string, root: string): readonly string[] {
  return recordedCalls(stub, root)
    .filter(([name]) => name === program)
    .map(([, ...args]) => args.join(' '));
}

/** Files and links below a folder, sorted. Empty if the folder is missing. */
export function filesBelow(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  return files.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1)).toSorted();
}
