import { realPath } from '../read-policy.js';
import { runGit } from './git-revision.js';

/**
 * Whether the user marked a folder, or a folder above it, as safe for Git. Only the configuration of the user and of the system counts, as in
 * Git. Source: git-config(1), safe.directory
 */
export function isSafeDirectory(folder: string): boolean {
  const real = realPath(folder);
  const entries = ['--system', '--global'].flatMap((scope) =>
    runGit('/', ['config', scope, '--get-all', 'safe.directory']).out.toString('utf8').split('\n'),
  );
  // An empty entry clears the entries before it.
  const valid = entries.slice(0, -1).slice(entries.slice(0, -1).lastIndexOf('') + 1);
  return valid.some(
    (entry) => entry === '*' || [real, ...parentsOf(real)].includes(entry.replace(/\/\*?$/, '')),
  );
}

function parentsOf(path: string): readonly string[] {
  const names = path.split('/');
  return names.map((_, index) => names.slice(0, index + 1).join('/')).filter((each) => each !== '');
}
