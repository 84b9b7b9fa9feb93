import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Files below a folder that git tracks or would add, relative to the project's root. */
export function trackedFiles(folder: string): readonly string[] {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', folder], {
    encoding: 'utf8',
  });
  return listed.split('\n').filter((file) => file !== '' && existsSync(file));
}
