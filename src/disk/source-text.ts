import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

/** Excerpts are cut from files up to this size; a larger one is named by its place alone. */
const maxSourceBytes = 4 * 1024 * 1024;

/** The text of a file a problem points into; undefined when it cannot be shown. */
export function sourceText(dir: string, file: string): string | undefined {
  const path = resolve(dir, file);
  try {
    if (statSync(path).size > maxSourceBytes) return undefined;
    return new TextDecoder('utf-8').decode(readFileSync(path));
  } catch {
    return undefined;
  }
}
