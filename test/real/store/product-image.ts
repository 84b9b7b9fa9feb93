import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { librariesOf, type ImageContents } from '../control-plane/support/images.js';

/** The image reference in the pods of these tests. */
export const productImage = 'sno-install.test/sno-install:1';

/** A user ID that this system does not use. */
export const productUser = 65_532;

/** The built program with Node.js and its libraries. The image has no shell and a non-root user. */
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
