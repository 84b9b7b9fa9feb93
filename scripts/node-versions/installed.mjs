// The Node.js releases that the program is tested on.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { installedPackages } from '../locked-packages.mjs';

/** Name and path of each release, oldest first. */
export function installedNodes() {
  const manifest = readFileSync(join(import.meta.dirname, 'package.json'), 'utf8');
  const names = Object.keys(JSON.parse(manifest).dependencies).sort();
  const binary = (name) => join(name, 'bin/node');
  const packages = installedPackages(import.meta.dirname, {
    name: 'node-versions',
    files: names.map(binary),
  });
  return names.map((name) => ({ name, path: join(packages, binary(name)) }));
}
