import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { byCodeUnit } from '../../core/compare.js';
import type { Templates } from '../../graph/context.js';
import { templatesFolder } from './package.js';
import { isSingleFile, partOf, templatesInside } from './single-file.js';

/** The constant files below `folder`, read when asked for. Throws when one is missing: they are part of the program. */
export function templatesFrom(folder: string): Templates {
  if (isSingleFile && folder === templatesFolder()) return ownTemplates();
  return {
    read: (path) => readFileSync(join(folder, path)),
    list: (subfolder) => filesBelow(join(folder, subfolder)).toSorted(byCodeUnit),
  };
}

function ownTemplates(): Templates {
  return {
    read: (path) => partOf(`templates/${path}`),
    list: (subfolder) => {
      const above = subfolder === '' ? '' : `${subfolder}/`;
      const found = templatesInside().filter((path) => path.startsWith(above));
      return found.map((path) => path.slice(above.length)).toSorted(byCodeUnit);
    },
  };
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? filesBelow(join(folder, entry.name)).map((path) => `${entry.name}/${path}`)
      : [entry.name],
  );
}
