import { posix } from 'node:path';

import { byCodeUnit } from '../../../core/compare.js';
import { problem, type Problem } from '../../../core/problem.js';
import { failure, success, type Result } from '../../../core/result.js';
import { manifestSuffix } from '../../../config/reading/payload-manifest.js';
import { parseReference, referenceFields } from '../../../config/reading/referenced-texts.js';
import { scalarText, tracedAt } from '../../../formats/yaml/traced.js';
import type { InputRead, Inputs } from '../../../graph/context.js';
import { withFleetVariables, type LoadedFleet } from '../../table/check-fleet.js';
import { classesFolder, fleetFileName } from '../../table/fleet-paths.js';
import { packedPath, type PackedFiles } from '../../table/packed-files.js';
import { siteClasses } from '../../table/site-classes.js';
import { siteFiles, type FleetFiles, type SiteFiles } from '../../table/site-files.js';
import type { SiteRow } from '../../table/site-table.js';

/** Files that sites read, and the names of their environment variables. */
export interface FilesOfSites extends PackedFiles {
  /** From `env:NAME`, sorted. */
  readonly variables: readonly string[];
}

/** A link to a parent folder would repeat files without end. */
const maxDepth = 20;

/**
 * Returns a function that collects the files of some sites: fleet.yaml, the base, their classes and overrides, and the files outside of
 * these folders that sno-config.yaml names. Problems: pack/file.
 */
export function siteFileCollector(
  { fleet, files }: LoadedFleet,
  fleetInputs: Inputs,
): (rows: readonly SiteRow[]) => Result<FilesOfSites> {
  const shared = treeOf(files.baseInputs, fleet.base);
  const ofClasses = new Map<string, Tree>();
  const classTree = (name: string): Tree => {
    const known = ofClasses.get(name) ?? treeOf(files.classInputs, classesFolder, name);
    ofClasses.set(name, known);
    return known;
  };
  return (rows) => {
    const trees = [shared];
    const named = new Map<string, InputRead>([[fleetFileName, fleetInputs.read(fleetFileName)]]);
    const recorded = recordedFiles(files, (path, read) => {
      if (read.kind !== 'absent') named.set(path, read);
    });
    const variables = new Set<string>();
    const classes = new Set<string>();
    const payloads = new Set<string>();
    const foldersOf = ({ name, variables: known }: SiteRow): readonly string[] => [
      fleet.base,
      ...siteClasses(files, known).names.map((each) => posix.join(classesFolder, each)),
      posix.join(fleet.overrides, name),
    ];
    for (const given of rows) {
      const row = withFleetVariables(given, fleet);
      for (const name of siteClasses(files, row.variables).names) classes.add(name);
      trees.push(treeOf(files.overrideInputs, fleet.overrides, row.name));
      const site = siteFiles(recorded, row);
      for (const name of readReferences(site)) variables.add(name);
      const payload = readNamedFiles(site);
      if (payload !== undefined)
        for (const folder of foldersOf(row)) payloads.add(packedPath(folder, payload));
    }
    trees.push(...[...classes].map(classTree), { files: named, folders: new Map(), problems: [] });
    const names = { [classesFolder]: [...classes], [fleet.overrides]: rows.map(({ name }) => name) };
    return joined(trees, { names, payloads, variables: [...variables].sort(byCodeUnit) });
  };
}

interface Tree {
  readonly files: Map<string, InputRead>;
  readonly folders: Map<string, readonly string[]>;
  readonly problems: Problem[];
}

/** All files below a folder; `root` is the path of the folder of `inputs`. */
function treeOf(inputs: Inputs, root: string, folder = '.'): Tree {
  const tree: Tree = { files: new Map(), folders: new Map(), problems: [] };
  const visit = (path: string, depth: number): void => {
    const names = inputs.list(path);
    const place = posix.join(root, path);
    if (names === undefined) {
      const read = inputs.read(path);
      if (read.kind !== 'absent') tree.files.set(place, read);
    } else if (depth > maxDepth) {
      const message = `directories are nested more than ${maxDepth} levels deep`;
      const hint = 'remove symbolic links that lead to a parent directory';
      tree.problems.push(problem('pack/file', message, { at: { file: place }, hint }));
    } else {
      tree.folders.set(place, names);
      for (const name of names) visit(posix.join(path, name.replace(/\/$/, '')), depth + 1);
    }
  };
  visit(folder, 0);
  return tree;
}

/** Notes each file that sites read, by its path in a pack. */
function recordedFiles(files: FleetFiles, note: (path: string, read: InputRead) => void): FleetFiles {
  const noting = (inputs: Inputs, folder: string): Inputs => {
    const noted = (path: string, read: InputRead): InputRead => {
      note(packedPath(folder, path), read);
      return read;
    };
    return {
      ...inputs,
      read: (path) => noted(path, inputs.read(path)),
      readReference: (reference) => {
        const read = inputs.readReference(reference);
        return reference.place.kind === 'file' ? noted(reference.place.path, read) : read;
      },
    };
  };
  return {
    ...files,
    baseInputs: noting(files.baseInputs, files.base),
    classInputs: noting(files.classInputs, classesFolder),
    overrideInputs: noting(files.overrideInputs, files.overrides),
  };
}

/** Fields of sno-config.yaml that name a file or a variable. */
const fields = [
  ...Object.values(referenceFields).map((field) => [field]),
  ['certificates', 'authority', 'certificate'],
  ['certificates', 'authority', 'key'],
];

/** Reads the files that a site names, and returns the names of its variables. */
function readReferences(site: SiteFiles): readonly string[] {
  const [config] = site.documentsOf('sno-config.yaml');
  if (config === undefined) return [];
  return fields.flatMap((path) => {
    const place = parseReference(scalarText(tracedAt(config, path)) ?? '');
    if (place?.kind === 'file') site.inputs.readReference({ field: path.join('.'), place });
    return place?.kind === 'variable' ? [place.name] : [];
  });
}

/** Reads the other files that a site names. Returns the path of its payload, which is no input: only its manifest is. */
function readNamedFiles(site: SiteFiles): string | undefined {
  const [config] = site.documentsOf('sno-config.yaml');
  const named = (path: readonly string[]): string | undefined => config && scalarText(tracedAt(config, path));
  const [references, payload] = [named(['imageReferences']), named(['payload', 'file'])];
  if (references !== undefined) site.inputs.read(references);
  if (payload !== undefined) site.inputs.read(`${payload}${manifestSuffix}`);
  return payload;
}

interface Parts {
  /** Packed subfolders of folders that are packed in part. */
  readonly names: Readonly<Record<string, readonly string[]>>;
  /** Files that are not packed. */
  readonly payloads: ReadonlySet<string>;
  readonly variables: readonly string[];
}

function joined(trees: readonly Tree[], { names, payloads, variables }: Parts): Result<FilesOfSites> {
  const problems = trees.flatMap((tree) => tree.problems);
  const files = new Map<string, Uint8Array>();
  for (const tree of trees)
    for (const [path, read] of tree.files) {
      if (payloads.has(path)) continue;
      if (read.kind === 'file') files.set(path, read.bytes);
      else if (read.kind === 'unreadable') problems.push(unreadable(path, read.reason));
    }
  const folders = new Map(trees.flatMap((tree) => [...tree.folders]));
  for (const [folder, below] of Object.entries(names)) {
    const present = below.filter((name) => folders.has(posix.join(folder, name)));
    if (present.length > 0) folders.set(folder, present.map((name) => `${name}/`).sort(byCodeUnit));
  }
  return problems.length > 0 ? failure(...problems) : success({ files, folders, variables });
}

function unreadable(path: string, reason: string): Problem {
  return problem('pack/file', `cannot read a file of the fleet: ${reason}`, { at: { file: path } });
}
