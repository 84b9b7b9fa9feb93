import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The distinct texts of fixture files with a matching name and at most `maxBytes`. */
export function fixtureTexts(folder: string, name: RegExp, maxBytes = 8192): readonly string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => name.test(path));
  const files = paths.toSorted().map((path) => join(folder, path));
  const texts = files.filter((file) => statSync(file).isFile() && statSync(file).size <= maxBytes);
  return [...new Set(texts.map((file) => readFileSync(file, 'utf8')))];
}

/** Findings of earlier runs for a target; they run first. */
export function keptInputs(target: string): readonly Buffer[] {
  const folder = join('fixtures/fuzz', target);
  const names = existsSync(folder) ? readdirSync(folder).toSorted() : [];
  return names.map((name) => readFileSync(join(folder, name)));
}
