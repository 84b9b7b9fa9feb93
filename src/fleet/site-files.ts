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
import { type ExpandFault, type Template, expandDocument } from './expand-document.js';
import { mergePatch } from '../formats/yaml/merge-patch.js';
import { isBlocking, unavailableFile } from './site-layer.js';
import type { SiteRow } from './site-table.js';
import { type Origin, type Traced, writeTracedFile } from '../formats/yaml/traced.js';

/** Input folders of a fleet. */
export interface FleetFiles {
  /** Path of the folder, as problems show it. */
  readonly base: string;
  readonly overrides: string;
  readonly baseInputs: Inputs;
  readonly overrideInputs: Inputs;
}

/** The input files of one site, in the layout that `create` expects. */
export interface SiteFiles {
  readonly inputs: Inputs;
  /** Maps a place in a file of the site to its place in the base, the override or the table. */
  readonly originOf: (at: Place) => Origin;
  /** Documents of a YAML file; empty if the file is missing or invalid. */
  readonly documentsOf: (path: string) => readonly Traced[];
  /** Faults found in the files that were read so far. */
  readonly faults: readonly ExpandFault[];
  readonly problems: readonly Problem[];
}

/** A generated file of a site. */
interface Rendered {
  readonly read: InputRead;
  /** Source file, if the content is copied from a single file. */
  readonly file: string;
  readonly documents?: readonly Traced[];
  readonly origins?: readonly Origin[];
  /** Set if the file comes from the table alone. */
  readonly source?: ImportedFile;
}

/**
 * The files of a site: files of the base with its variables inserted, then the files of its ClusterInstance, then those of its override
 * folder, merged in this order. YAML files are parsed and serialized again; other files are copied. Problems: fleet/override, and the
 * errors of the site's layer.
 */
export function siteFiles(files: FleetFiles, { name, variables, layer }: SiteRow): SiteFiles {
  const faults: ExpandFault[] = [];
  const problems: Problem[] = (layer?.problems ?? []).filter(isError);
  const isUnmade = problems.some(isBlocking);
  const given = new Map((layer?.files ?? []).map((file) => [file.path, file]));
  const rendered = new Map<string, Rendered>();

  const expandedOf = (template: ParsedFile): readonly Traced[] =>
    template.documents.map((document) => {
      const { root, faults: found } = expandDocument(document, template, variables);
      faults.push(...found);
      return root;
    });
  const make = (path: string, named?: Reference): Rendered => {
    const [base, patch] = baseAndOverride(files, name, { path, named });
    const [baseFile, patchFile] = [posix.join(files.base, path), posix.join(files.overrides, name, path)];
    const own = given.get(posix.normalize(path));
    if (isUnmade && path === 'install-config.yaml') return { read: unavailableFile, file: baseFile };
    const lower = own === undefined ? { read: base, file: baseFile } : plainOf(own);
    const plain = patch.kind === 'absent' ? lower : { read: patch, file: patchFile };
    if (!isYamlName(path) || (own !== undefined && base.kind === 'absent' && patch.kind === 'absent'))
      return plain;
    const below = parsedFile(baseFile, base);
    // A broken file in the base is an error even if the table provides the same file.
    if (own !== undefined && below === undefined && base.kind !== 'absent' && !isBlank(base))
      return { read: base, file: baseFile };
    const above = parsedFile(patchFile, patch);
    if (above === undefined && patch.kind === 'file') {
      problems.push(
        problem('fleet/override', `${patchFile} is not valid YAML and cannot be merged`, {
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
      return template?.documents.map((each) => expandDocument(each, template, variables).root) ?? [];
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
  // Fields of several documents cannot be matched, so the override replaces the whole file.
  return secondBase || secondPatch ? above : [mergePatch(base, patch)];
}

/** A file of merged documents. It is serialized on first access, since checks often read only the documents. */
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

/** A file of the table, unchanged. */
function plainOf(source: ImportedFile): Rendered {
  const { text, path, root } = source;
  const read = { kind: 'file', bytes: Buffer.from(text) } as const;
  return { read, file: path, source, ...(root && { documents: [root] }) };
}

function isBlank(read: InputRead): boolean {
  return read.kind === 'file' && readYaml(decodeUtf8(read.bytes) ?? '{').documents.length === 0;
}

/** Names of the direct children of a folder; subfolders end in `/`. */
function namesIn(folder: string, paths: Iterable<string>): readonly string[] {
  const parts = [...paths].map((path) =>
    posix.relative(posix.join('/', folder), posix.join('/', path)).split('/'),
  );
  return parts.flatMap(([first = '', ...rest]) =>
    first === '..' || first === '' ? [] : [rest.length === 0 ? first : `${first}/`],
  );
}

/**
 * The file of the base and the file of the site's override at a path. If a config field refers to the file (`named`) and Git does not
 * contain it, a Git revision reads it from the working tree, since secrets should not be in Git.
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

/** A YAML file that may contain placeholders. */
interface ParsedFile extends Template {
  readonly documents: readonly YamlNode[];
}

/** Caches parsed files of the base, which all sites share. */
const parsedReads = new WeakMap<InputRead, ParsedFile | undefined>();

/** Parses a YAML file; undefined if it is invalid or empty. The caller then passes it on unchanged, and later checks report the fault. */
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
