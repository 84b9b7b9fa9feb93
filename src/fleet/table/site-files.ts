import { join, posix } from 'node:path';

import { byCodeUnit } from '../../core/compare.js';
import { type Place, type Problem, isError, problem } from '../../core/problem.js';
import { sha256 } from '../../formats/sha256.js';
import { decodeUtf8 } from '../../formats/utf8.js';
import type { YamlNode } from '../../formats/yaml/yaml-tree.js';
import { isYamlName, readYaml } from '../../formats/yaml/yaml.js';
import type { InputDigest, InputRead, Inputs, Reference } from '../../graph/context.js';
import { documentsIn as documentsOfImport } from '../../import/file-documents.js';
import { type ImportedFile, placeInSource } from '../../import/imported-site.js';
import { type ExpandFault, type Template, expandDocument } from './expand-document.js';
import { oddFolder } from '../../manifests/edits/odd-folders.js';
import { classesFolder, variablesFileName } from './fleet-paths.js';
import type { FleetText } from './fleet-file.js';
import { siteClasses } from './site-classes.js';
import { hasMergeFields, mergeFieldProblems, mergeLayers } from './merge-layers.js';
import { isBlocking, unavailableFile } from './site-layer.js';
import type { SiteVariables } from '../../config/variables.js';
import type { SiteRow } from './site-table.js';
import { type Origin, type Traced, writeTracedFile } from '../../formats/yaml/traced.js';

/** Input folders of a fleet. */
export interface FleetFiles {
  /** Path of the folder, as problems show it. */
  readonly base: string;
  readonly overrides: string;
  /** Names of the site's classes, in merge order; may contain placeholders. */
  readonly classes: readonly FleetText[];
  /** Whether a file contains no variables; takes the path as problems show it. */
  readonly isRaw: (file: string) => boolean;
  readonly baseInputs: Inputs;
  readonly classInputs: Inputs;
  readonly overrideInputs: Inputs;
}

/** The input files of one site, in the layout that `create` expects. */
export interface SiteFiles {
  readonly inputs: Inputs;
  /** Maps a place in a file of the site to its place in the base, the override or the table. */
  readonly originOf: (at: Place) => Origin;
  /** Files of the base, the classes, the table and the override that a file of the site consists of, lowest first. */
  readonly sourcesOf: (path: string) => readonly string[];
  readonly variables: SiteVariables;
  /** Documents of a YAML file; empty if the file is missing or invalid. */
  readonly documentsOf: (path: string) => readonly Traced[];
  /** Faults found in the files that were read so far. */
  readonly faults: readonly ExpandFault[];
  readonly problems: readonly Problem[];
  /** Whether a layer of the site is missing because of an error; further problems may follow from it. */
  readonly isLayerMissing: boolean;
}

/** A generated file of a site. */
interface Rendered {
  readonly read: InputRead;
  /** Source file, if the content is copied from a single file. */
  readonly file: string;
  /** Digest of that file, which is faster than reading it. */
  readonly digest?: () => InputDigest;
  readonly documents?: readonly Traced[];
  readonly origins?: readonly Origin[];
  /** Set if the file comes from the table alone. */
  readonly source?: ImportedFile;
}

/**
 * The files of a site, merged in this order: files of the base and of the site's classes with its variables inserted, the files of its
 * ClusterInstance, then those of its override folder. YAML files are parsed and serialized again; other files are copied. Problems:
 * fleet/class, fleet/override, and the errors of the site's layer.
 */
export function siteFiles(files: FleetFiles, { name, variables, layer }: SiteRow): SiteFiles {
  const classes = siteClasses(files, variables);
  const faults: ExpandFault[] = [...classes.faults];
  const problems: Problem[] = [...(layer?.problems ?? []).filter(isError), ...classes.problems];
  const isLayerMissing = problems.some(isBlocking) || classes.faults.length + classes.problems.length > 0;
  const given = new Map((layer?.files ?? []).map((file) => [file.path, file]));
  const folders = sourceFolders(files, classes.names, name);
  const rendered = new Map<string, Rendered>();

  const documentsIn = (source: SourceFile): readonly Traced[] | 'broken' => {
    if (source.source !== undefined) return documentsOfImport(source.source) ?? 'broken';
    const template = parsedFile(source.file, source.read, files.isRaw);
    if (template === undefined) return isBlank(source.read) ? [] : 'broken';
    return template.documents.map((document) => {
      const { root, faults: found } = expandDocument(document, template, variables);
      faults.push(...found);
      return root;
    });
  };
  const sourcesAt = (path: string, named?: Reference): readonly SourceFile[] => {
    if (path === variablesFileName) return [];
    const ofTable = given.get(posix.normalize(path));
    return [
      ...folders.shared.map((folder) => fileIn(folder, { path, named })),
      ...(ofTable ? [plainOf(ofTable)] : []),
      fileIn(folders.own, { path, named }),
    ].filter(({ read }) => read.kind !== 'absent');
  };
  const make = (path: string, named?: Reference): SourceFile => {
    const file = posix.join(files.base, path);
    if (isLayerMissing && path === 'install-config.yaml') return { read: unavailableFile, file };
    const sources = sourcesAt(path, named);
    const top: SourceFile = sources.at(-1) ?? { read: absent, file };
    if (!isYamlName(path) || (sources.length === 1 && isPlain(top, files.isRaw))) return top;
    let documents: readonly Traced[] = [];
    for (const source of sources) {
      const above = documentsIn(source);
      // The reader of the file reports the fault.
      if (above === 'broken') {
        if (source.code !== undefined) problems.push(brokenFile(source.code, source.file));
        return source;
      }
      documents = merged(documents, { above, source, problems });
    }
    if (sources.some((source) => hasMergeFields(textOf(source, files.isRaw))))
      problems.push(...documents.flatMap(mergeFieldProblems));
    return documents.length === 0 ? top : written(path, { file, documents });
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
        const { read, digest } = at(path);
        if (digest !== undefined) return digest();
        return read.kind === 'file' ? { kind: 'file', sha256: sha256(read.bytes) } : read;
      },
      list: (folder) => {
        const layers = [...folders.shared, folders.own];
        const lists = layers.map((each) => each.inputs.list(join(each.folder, folder)));
        const names = [...lists.flatMap((each) => each ?? []), ...namesIn(folder, given.keys())].filter(
          (name) => posix.join(folder, name) !== variablesFileName,
        );
        const isThere = names.length > 0 || lists.some((each) => each !== undefined);
        // Without another layer, the reader of the folder reports the fault.
        const odd = isThere
          ? layers.filter((each, index) => lists[index] === undefined && isOdd(each, folder))
          : [];
        for (const { shown } of odd) addOnce(problems, oddFolder(folder, posix.join(shown, folder)));
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
    sourcesOf: (path) => {
      const sources = sourcesAt(path);
      // The highest layer replaces a file that is not YAML.
      return (isYamlName(path) ? sources : sources.slice(-1)).map(({ file }) => file);
    },
    documentsOf: (path) => {
      const found = at(path);
      if (found.documents !== undefined) return found.documents;
      const template = parsedFile(found.file, found.read, files.isRaw);
      return template?.documents.map((each) => expandDocument(each, template, variables).root) ?? [];
    },
    variables,
    faults,
    problems,
    isLayerMissing,
  };
}

function isOdd({ inputs, folder }: SourceFolder, path: string): boolean {
  return inputs.read(join(folder, path)).kind !== 'absent';
}

/** A folder is listed several times. */
function addOnce(problems: Problem[], added: Problem): void {
  if (!problems.some(({ at, code }) => code === added.code && at?.file === added.at?.file))
    problems.push(added);
}

/** A folder with input files of a site. */
interface SourceFolder {
  /** Path of the folder, as problems show it. */
  readonly shown: string;
  readonly inputs: Inputs;
  /** Path of the folder in `inputs`. */
  readonly folder: string;
  /** Code of a file that cannot be merged. */
  readonly code?: 'fleet/class' | 'fleet/override';
}

/** Folders of a site: those that other sites may share, lowest first, and the override. */
function sourceFolders(
  { base, overrides, baseInputs, classInputs, overrideInputs }: FleetFiles,
  classes: readonly string[],
  site: string,
): { readonly shared: readonly SourceFolder[]; readonly own: SourceFolder } {
  const ofClasses = classes.map((name): SourceFolder => ({
    shown: posix.join(classesFolder, name),
    inputs: classInputs,
    folder: name,
    code: 'fleet/class',
  }));
  return {
    shared: [{ shown: base, inputs: baseInputs, folder: '' }, ...ofClasses],
    own: {
      shown: posix.join(overrides, site),
      inputs: overrideInputs,
      folder: site,
      code: 'fleet/override',
    },
  };
}

/** A file of one layer. */
type SourceFile = Rendered & Pick<SourceFolder, 'code'>;

/** Whether a file that no other layer changes is copied. */
function isPlain({ file, read, source, code }: SourceFile, isRaw: FleetFiles['isRaw']): boolean {
  if (source !== undefined || isRaw(file)) return true;
  const text = textOf({ file, read }, isRaw);
  return code !== 'fleet/override' && !text.includes('${') && !hasMergeFields(text);
}

/** Text of a valid YAML file. */
function textOf({ file, read }: Pick<SourceFile, 'file' | 'read'>, isRaw: FleetFiles['isRaw']): string {
  return parsedFile(file, read, isRaw)?.text ?? '';
}

function brokenFile(code: NonNullable<SourceFolder['code']>, file: string): Problem {
  return problem(code, `${file} is not valid YAML and cannot be merged`, { at: { file } });
}

function merged(
  below: readonly Traced[],
  {
    above,
    source: { source, code },
    problems,
  }: { readonly above: readonly Traced[]; readonly source: SourceFile; readonly problems: Problem[] },
): readonly Traced[] {
  const [base, secondBase] = below;
  const [patch, secondPatch] = above;
  if (patch === undefined) return below;
  // Fields of several documents cannot be matched, so the upper layer replaces the whole file.
  if (secondBase || secondPatch) return above;
  const isTemplate = source === undefined && code !== 'fleet/override';
  return base === undefined && isTemplate ? above : [mergeLayers(base, patch, problems)];
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

/** Whether a file is valid YAML without a document. */
function isBlank(read: InputRead): boolean {
  const text = read.kind === 'file' ? decodeUtf8(read.bytes) : undefined;
  if (text === undefined) return false;
  const { documents, faults } = readYaml(text);
  return documents.length + faults.length === 0;
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

const absent = { kind: 'absent' } as const;

/**
 * A file of one layer. If a config field refers to the file (`named`) and Git does not contain it, a Git revision reads it from the
 * working tree, since secrets should not be in Git.
 */
function fileIn(
  { shown, inputs, folder, code }: SourceFolder,
  { path, named }: { readonly path: string; readonly named: Reference | undefined },
): SourceFile {
  const place = folder === '' ? path : join(folder, path);
  const found = inputs.read(place);
  const read =
    found.kind === 'absent' && named !== undefined
      ? inputs.readReference({ ...named, place: { kind: 'file', path: place } })
      : found;
  return {
    read,
    file: posix.join(shown, path),
    digest: () => inputs.digest(place),
    ...(code !== undefined && { code }),
  };
}

/** A YAML file that may contain placeholders. */
interface ParsedFile extends Template {
  readonly documents: readonly YamlNode[];
}

/** Caches parsed files of the base, which all sites share. */
const parsedReads = new WeakMap<InputRead, ParsedFile | undefined>();

/** Parses a YAML file; undefined if it is invalid or empty. The caller then passes it on unchanged, and later checks report the fault. */
function parsedFile(file: string, read: InputRead, isRaw: FleetFiles['isRaw']): ParsedFile | undefined {
  if (!parsedReads.has(read)) parsedReads.set(read, parse(file, read, isRaw(file)));
  return parsedReads.get(read);
}

function parse(file: string, read: InputRead, isRaw: boolean): ParsedFile | undefined {
  const text = read.kind === 'file' ? decodeUtf8(read.bytes) : undefined;
  if (text === undefined) return undefined;
  const { documents, faults } = readYaml(text);
  return faults.length === 0 && documents.length > 0 ? { file, text, documents, isRaw } : undefined;
}
