import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { byCodeUnit } from '../core/compare.js';
import type { Templates } from '../graph/context.js';

/** The constant files below `folder`, read when asked for. Throws when one is missing: they are part of the program. */
export function templatesFrom(folder: string): Templates {
  return {
    read: (path) => readFileSync(join(folder, path)),
    list: (subfolder) => filesBelow(join(folder, subfolder)).toSorted(byCodeUnit),
  };
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? filesBelow(join(folder, entry.name)).map((path) => `${entry.name}/${path}`)
      : [entry.name],
  );
}
