import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { byCodeUnit } from '../../core/compare.js';
import type { Templates } from '../../graph/context.js';
import { templatesFolder } from './package.js';
import { isSingleFile, partOf, templatesInside } from './single-file.js';

export function ownTemplates(): Templates {
  return templatesFrom(templatesFolder());
}

/** Templates below `folder`, read lazily. Throws if one is missing, since they are part of the program. */
export function templatesFrom(folder: string): Templates {
  if (isSingleFile && folder === templatesFolder()) return templatesOfSingleFile();
  return withTexts({
    read: (path) => readFileSync(join(folder, path)),
    list: (subfolder) => filesBelow(join(folder, subfolder)).toSorted(byCodeUnit),
  });
}

function templatesOfSingleFile(): Templates {
  return withTexts({
    read: (path) => partOf(`templates/${path}`),
    list: (subfolder) => {
      const above = subfolder === '' ? '' : `${subfolder}/`;
      const found = templatesInside().filter((path) => path.startsWith(above));
      return found.map((path) => path.slice(above.length)).toSorted(byCodeUnit);
    },
  });
}

function withTexts(files: Omit<Templates, 'text'>): Templates {
  const known = new Map<string, string>();
  const text = (path: string): string => {
    const found = known.get(path) ?? new TextDecoder().decode(files.read(path));
    known.set(path, found);
    return found;
  };
  return { ...files, text };
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? filesBelow(join(folder, entry.name)).map((path) => `${entry.name}/${path}`)
      : [entry.name],
  );
}
