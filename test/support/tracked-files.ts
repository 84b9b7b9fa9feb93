import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** The files that git knows below a folder, or would take, from the project's root. */
export function trackedFiles(folder: string): readonly string[] {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', folder], {
    encoding: 'utf8',
  });
  return listed.split('\n').filter((file) => file !== '' && existsSync(file));
}
