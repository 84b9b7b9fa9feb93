import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { librariesOf, type ImageContents } from '../control-plane/support/images.js';

/** What the pods of these tests name. */
export const productImage = 'sno-install.test/sno-install:1';

/** Nobody whom this system knows. */
export const productUser = 65_532;

/** The built program with this Node.js and its libraries, and nothing else: no shell, and a user who is not root. */
export async function productImageContents(): Promise<ImageContents> {
  const folder = '/opt/sno-install';
  const files = ['dist', 'templates'].flatMap((name) =>
    readdirSync(name, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  return {
    base: { '/usr/bin/node': process.execPath, ...(await librariesOf(process.execPath)) },
    files: Object.fromEntries(['package.json', ...files].map((path) => [join(folder, path), resolve(path)])),
    entrypoint: ['/usr/bin/node', `${folder}/dist/cli.js`],
    user: productUser,
  };
}
