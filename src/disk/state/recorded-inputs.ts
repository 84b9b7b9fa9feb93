import { byCodeUnit } from '../../core/compare.js';
import { mapRecord, sortedRecord } from '../../core/map-record.js';
import type { OutputFile } from '../../core/output-file.js';
import { sha256 } from '../../formats/sha256.js';
import type { InputDigest, InputRead, Inputs, Reference } from '../../graph/context.js';

/** Digests of the inputs that a run read, by request. Runs with equal records had the same inputs. */
export type InputRecord = Readonly<Record<string, string>>;

/** Inputs that record every request. */
export interface RecordedInputs {
  readonly inputs: Inputs;
  /** Everything read so far. */
  readonly record: () => InputRecord;
}

export function recordInputs(inputs: Inputs): RecordedInputs {
  const seen = new Map<string, string>();
  return {
    inputs: {
      ...inputs,
      read: (path) => {
        const read = inputs.read(path);
        seen.set(`read ${path}`, digestOfRead(read));
        return read;
      },
      readReference: (reference) => {
        const read = inputs.readReference(reference);
        seen.set(requestText(reference), digestOfRead(read));
        return read;
      },
      digest: (path) => {
        const digest = inputs.digest(path);
        seen.set(`digest ${path}`, textOfDigest(digest));
        return digest;
      },
      list: (folder) => {
        const names = inputs.list(folder);
        seen.set(`list ${folder}`, digestOfFolder(folder, names, inputs));
        return names;
      },
    },
    record: () => sortedRecord(seen),
  };
}

/** The record of a run that sends the same requests to `inputs`. */
export function recordOfRequests(questions: readonly string[], inputs: Inputs): InputRecord {
  return Object.fromEntries(questions.map((question) => [question, digestOfRequest(question, inputs)]));
}

function digestOfRequest(question: string, inputs: Inputs): string {
  const path = pathIn(question);
  const reference = parseRequestReference(question);
  if (reference !== undefined) return digestOfRead(inputs.readReference(reference));
  if (question.startsWith('read ')) return digestOfRead(inputs.read(path));
  return question.startsWith('digest ')
    ? textOfDigest(inputs.digest(path))
    : digestOfFolder(path, inputs.list(path), inputs);
}

/** A file or a link to a missing folder differs from no folder, so that a run with it is not taken as unchanged. */
function digestOfFolder(folder: string, names: readonly string[] | undefined, inputs: Inputs): string {
  const read = names === undefined ? inputs.read(folder) : undefined;
  return read === undefined || read.kind === 'absent' ? digestOfList(names) : digestOfRead(read);
}

/** The record of the same requests after files were written and removed: they then include our own outputs. */
export function recordAfter(
  record: InputRecord,
  inputs: Inputs,
  { writes, removals }: { readonly writes: readonly OutputFile[]; readonly removals: readonly string[] },
): InputRecord {
  const written = new Map(writes.map(({ path, contents }) => [path, sha256(contents)]));
  return mapRecord(record, (digest, question) => {
    const path = pathIn(question);
    // References read values outside the directory, or files that a field names. Neither are our outputs.
    if (parseRequestReference(question) !== undefined) return digest;
    if (!question.startsWith('list '))
      return written.get(path) ?? (removals.includes(path) ? 'absent' : digest);
    const before = inputs.list(path);
    const made = [...written.keys()].flatMap((each) => entryIn(path, each));
    if (before === undefined && made.length === 0) return digest;
    const removed = removals.flatMap((each) => entryIn(path, each)).filter((name) => !name.endsWith('/'));
    const names = new Set([...(before ?? []), ...made].filter((name) => !removed.includes(name)));
    return digestOfList([...names].sort(byCodeUnit));
  });
}

/** Request for a reference, such as `file pullSecretFile secrets/pull.json`. */
function requestText({ field, place }: Reference): string {
  switch (place.kind) {
    case 'file':
      return `file ${field} ${place.path}`;
    case 'variable':
      return `variable ${field} ${place.name}`;
    case 'stdin':
      return `stdin ${field}`;
  }
}

/** Parses the reference in a request; undefined for other requests. */
export function parseRequestReference(question: string): Reference | undefined {
  const [, kind, field = '', rest = ''] = /^(file|variable|stdin) (\S+) ?(.*)$/s.exec(question) ?? [];
  if (kind === 'file') return { field, place: { kind, path: rest } };
  if (kind === 'variable') return { field, place: { kind, name: rest } };
  return kind === 'stdin' ? { field, place: { kind } } : undefined;
}

/** Paths of all requests of one kind. */
export function requestedPaths(record: InputRecord, kind: 'read' | 'list'): readonly string[] {
  const paths: string[] = [];
  for (const question of Object.keys(record)) {
    if (question.startsWith(`${kind} `)) paths.push(pathIn(question));
  }
  return paths;
}

/** Path of a request that is not for a reference. */
function pathIn(question: string): string {
  return question.slice(question.indexOf(' ') + 1);
}

/** Name under which a folder lists a path below it. */
function entryIn(folder: string, path: string): readonly string[] {
  const prefix = `${folder.replace(/\/$/, '')}/`;
  if (!path.startsWith(prefix)) return [];
  const [name = '', ...below] = path.slice(prefix.length).split('/');
  return [below.length === 0 ? name : `${name}/`];
}

function digestOfRead(read: InputRead): string {
  return textOfDigest(read.kind === 'file' ? { kind: 'file', sha256: sha256(read.bytes) } : read);
}

function textOfDigest(digest: InputDigest): string {
  switch (digest.kind) {
    case 'file':
      return digest.sha256;
    case 'absent':
      return 'absent';
    case 'unreadable':
      return `unreadable: ${digest.reason}`;
  }
}

function digestOfList(names: readonly string[] | undefined): string {
  return names === undefined ? 'absent' : sha256(names.join('\n'));
}
