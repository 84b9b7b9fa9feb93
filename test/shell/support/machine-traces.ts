import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The calls that the stubs of a machine wrote down, each as its program and its arguments, paths as the machine's own. */
export function recordedCalls(stub: string, root: string): readonly (readonly string[])[] {
  // Calls end with a record separator, arguments with a unit separator: neither stands in an argument.
  const calls = readFileSync(join(stub, 'calls'), 'utf8').replaceAll(root, '').split('\u001e');
  return calls.slice(0, -1).map((call) => call.split('\u001f'));
}

/** Those of one program, each as its arguments joined by blanks. */
export function callsOf(program: string, stub: string, root: string): readonly string[] {
  return recordedCalls(stub, root)
    .filter(([name]) => name === program)
    .map(([, ...args]) => args.join(' '));
}

/** Files and links below a folder, sorted; none where it is not there. */
export function filesBelow(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  return files.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1)).toSorted();
}
