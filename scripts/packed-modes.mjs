// Gives the files that npm packs the modes that everybody may read them by, whatever the umask of who cloned: npm packs them as they are on the disk.
import { chmodSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What npm packs beside the files that package.json lists. */
const always = ['LICENSE', 'README.md', 'package.json'];
const { files } = JSON.parse(readFileSync('package.json', 'utf8'));
for (const path of [...always, ...files].flatMap(filesBelow))
  chmodSync(path, statSync(path).mode & 0o100 ? 0o755 : 0o644);

function filesBelow(path) {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path).flatMap((name) => filesBelow(join(path, name)));
}
