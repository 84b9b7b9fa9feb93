// Makes packed files readable by everyone. npm packs the modes on disk, which depend on the umask at clone time.
import { chmodSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Files that npm packs in addition to those listed in package.json. */
const always = ['LICENSE', 'README.md', 'package.json'];
const { files } = JSON.parse(readFileSync('package.json', 'utf8'));
for (const path of [...always, ...files].flatMap(filesBelow))
  chmodSync(path, statSync(path).mode & 0o100 ? 0o755 : 0o644);

function filesBelow(path) {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path).flatMap((name) => filesBelow(join(path, name)));
}
