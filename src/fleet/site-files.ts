import { join, posix } from 'node:path';

import { byCodeUnit } from '../core/compare.js';
import { type Place, type Problem, isError, problem } from '../core/problem.js';
import { sha256 } from '../formats/sha256.js';
import { decodeUtf8 } from '../formats/utf8.js';
import type { YamlNode } from '../formats/yaml/yaml-tree.js';
import { isYamlName, readYaml } from '../formats/yaml/yaml.js';
import type { InputRead, Inputs, Reference } from '../graph/context.js';
import { documentsIn } from '../import/file-documents.js';
import { type ImportedFile, placeInSource } from '../import/imported-site.js';
import { type ExpandFault, type Template, expand } from './expand.js';
import { mergePatch } from '../formats/yaml/merge-patch.js';
import { isBlocking, unmade } from './site-layer.js';
import type { SiteRow } from './site-table.js';
import { type Origin, type Traced, writeTracedFile } from '../formats/yaml/traced.js';

/** The files that sites are made of, below one folder. */
export interface FleetFiles {
  /** As problems name it. */
  readonly base: string;
  readonly overrides: string;
  readonly baseInputs: Inputs;
  readonly overrideInputs: Inputs;
}

/** The files of one site, as `create` would find them in a directory of its own. */
export interface SiteFiles {
  readonly inputs: Inputs;
  /** Where something in a file of the site comes from. */
  readonly originOf: (at: Place) => Origin;
  /** The documents of a file of YAML; none of one that is absent or cannot be read as such. */
  readonly documentsOf: (path: string) => readonly Traced[];
  /** What was found while the files were made that were read so far. */
  readonly faults: readonly ExpandFault[];
  readonly problems: readonly Problem[];
}

/** What stands at a path of a site. */
interface Rendered {
  readonly read: InputRead;
  /** Where the file comes from, when it is one as it stands. */
  readonly file: string;
  readonly documents?: readonly Traced[];
  readonly origins?: readonly Origin[];
  /** Of a file that the table gives, and nothing else. */
  readonly source?: ImportedFile;
}

/**
 * The files of a site: those of the base with its variables put in, and what the table gives and those of
 * its folder among the overrides merged over them. YAML is read and written; what is none is taken as it is. Problems: fleet/override,
 * and the errors of the site's layer.
 */
export function siteFiles(files: FleetFiles, { name, variables, layer }: SiteRow): SiteFiles {
  const faults: ExpandFault[] = [];
  const problems: Problem[] = (layer?.problems ?? []).filter(isError);
  const isUnmade = problems.some(isBlocking);
  const given = new Map((layer?.files ?? []).map((file) => [file.path, file]));
  const rendered = new Map<string, Rendered>();

  const expandedOf = (template: ParsedFile): readonly Traced[] =>
    template.documents.map((document) => {
      const { root, faults: found } = expand(document, template, variables);
      faults.push(...found);
      return root;
    });
  const make = (path: string, named?: Reference): Rendered => {
    const [base, patch] = baseAndOverride(files, name, { path, named });
    const [baseFile, patchFile] = [posix.join(files.base, path), posix.join(files.overrides, name, path)];
    const own = given.get(posix.normalize(path));
    if (isUnmade && path === 'install-config.yaml') return { read: unmade, file: baseFile };
    const lower = own === undefined ? { read: base, file: baseFile } : plainOf(own);
    const plain = patch.kind === 'absent' ? lower : { read: patch, file: patchFile };
    if (!isYamlName(path) || (own !== undefined && base.kind === 'absent' && patch.kind === 'absent'))
      return plain;
    const below = parsedFile(baseFile, base);
    // What stands over a file that cannot be read does not mend it.
    if (own !== undefined && below === undefined && base.kind !== 'absent' && !isBlank(base))
      return { read: base, file: baseFile };
    const above = parsedFile(patchFile, patch);
    if (above === undefined && patch.kind === 'file') {
      problems.push(
        problem('fleet/override', `${patchFile} is no YAML that could be merged`, {
          at: { file: patchFile },
        }),
      );
    }
    if (below !== undefined && above === undefined && own === undefined && !below.text.includes('${'))
      return plain;
    const ownDocuments = own && documentsIn(own);
    if (own !== undefined && ownDocuments === undefined) return lower;
    const lowerDocuments = merged(below && expandedOf(below), ownDocuments);
    const documents = merged(lowerDocuments, above && expandedOf(above));
    if (documents === undefined) return plain;
    return written(path, { file: baseFile, documents });
  };
  const at = (path: string, named?: Reference): Rendered => {
    const known = rendered.get(path);
    if (known !== undefined && (named === undefined || known.read.kind !== 'absent')) return known;
    const made = make(path, named);
    rendered.set(path, made);
    return made;
  };
  return {
    inputs: {
      read: (path) => at(path).read,
      readReference: (reference) =>
        reference.place.kind === 'file'
          ? at(reference.place.path, reference).read
          : files.baseInputs.readReference(reference),
      digest: (path) => {
        const { read, origins, source } = at(path);
        if (origins === undefined && source === undefined) return files.baseInputs.digest(path);
        return read.kind === 'file' ? { kind: 'file', sha256: sha256(read.bytes) } : read;
      },
      list: (folder) => {
        const lists = [files.baseInputs.list(folder), files.overrideInputs.list(join(name, folder))];
        const names = [...lists.flatMap((each) => each ?? []), ...namesIn(folder, given.keys())];
        const isThere = names.length > 0 || lists.some((each) => each !== undefined);
        return isThere ? [...new Set(names)].sort(byCodeUnit) : undefined;
      },
      written: () => undefined,
      writtenPaths: () => [],
    },
    originOf: (place) => {
      const { file, origins, source } = at(place.file);
      if (source !== undefined) return { at: placeInSource(source, place) };
      const origin = place.line === undefined ? undefined : origins?.[place.line - 1];
      if (origin !== undefined)
        return { ...origin, at: { ...origin.at, ...(place.path !== undefined && { path: place.path }) } };
      return { at: origins === undefined ? { ...place, file } : { file } };
    },
    documentsOf: (path) => {
      const found = at(path);
      if (found.documents !== undefined) return found.documents;
      const template = parsedFile(found.file, found.read);
      return template?.documents.map((each) => expand(each, template, variables).root) ?? [];
    },
    faults,
    problems,
  };
}

function merged(
  below: readonly Traced[] | undefined,
  above: readonly Traced[] | undefined,
): readonly Traced[] | undefined {
  const [base, secondBase] = below ?? [];
  const [patch, secondPatch] = above ?? [];
  if (patch === undefined) return below;
  // Several documents have no fields that could be told from each other: those of the override are taken for the file.
  return secondBase || secondPatch ? above : [mergePatch(base, patch)];
}

/** A file of documents, written when somebody reads it: of a site that is only looked at, nobody does. */
function written(path: string, from: Required<Pick<Rendered, 'file' | 'documents'>>): Rendered {
  let made: Required<Pick<Rendered, 'read' | 'origins'>> | undefined;
  const make = (): NonNullable<typeof made> => {
    const { text, origins } = writeTracedFile(path, from.documents);
    return { read: { kind: 'file', bytes: Buffer.from(text) }, origins };
  };
  return {
    ...from,
    get read() {
      return (made ??= make()).read;
    },
    get origins() {
      return (made ??= make()).origins;
    },
  };
}

/** A file that the table gives, as it stands. */
function plainOf(source: ImportedFile): Rendered {
  const { text, path, root } = source;
  const read = { kind: 'file', bytes: Buffer.from(text) } as const;
  return { read, file: path, source, ...(root && { documents: [root] }) };
}

function isBlank(read: InputRead): boolean {
  return read.kind === 'file' && readYaml(decodeUtf8(read.bytes) ?? '{').documents.length === 0;
}

/** Of paths, the names in a folder; of what lies deeper the folder. */
function namesIn(folder: string, paths: Iterable<string>): readonly string[] {
  const parts = [...paths].map((path) =>
    posix.relative(posix.join('/', folder), posix.join('/', path)).split('/'),
  );
  return parts.flatMap(([first = '', ...rest]) =>
    first === '..' || first === '' ? [] : [rest.length === 0 ? first : `${first}/`],
  );
}

/**
 * What stands at a path of a site in the base, and over it among the overrides of the site. Where a field names the file (`named`), a
 * revision has what Git does not have as it is now, as it should be with secrets.
 */
function baseAndOverride(
  { baseInputs, overrideInputs }: { readonly baseInputs: Inputs; readonly overrideInputs: Inputs },
  site: string,
  { path, named }: { readonly path: string; readonly named: Reference | undefined },
): readonly [base: InputRead, patch: InputRead] {
  const readAt = (inputs: Inputs, place: string): InputRead => {
    const found = inputs.read(place);
    return found.kind === 'absent' && named !== undefined
      ? inputs.readReference({ ...named, place: { kind: 'file', path: place } })
      : found;
  };
  return [readAt(baseInputs, path), readAt(overrideInputs, join(site, path))];
}

/** A file of YAML that may hold placeholders. */
interface ParsedFile extends Template {
  readonly documents: readonly YamlNode[];
}

/** A file of the base is read once, and is the same for every site. */
const parsedReads = new WeakMap<InputRead, ParsedFile | undefined>();

/** A file of YAML without a fault; undefined for any other, which is judged as what it is. */
function parsedFile(file: string, read: InputRead): ParsedFile | undefined {
  if (!parsedReads.has(read)) parsedReads.set(read, parse(file, read));
  return parsedReads.get(read);
}

function parse(file: string, read: InputRead): ParsedFile | undefined {
  const text = read.kind === 'file' ? decodeUtf8(read.bytes) : undefined;
  if (text === undefined) return undefined;
  const { documents, faults } = readYaml(text);
  return faults.length === 0 && documents.length > 0 ? { file, text, documents } : undefined;
}
