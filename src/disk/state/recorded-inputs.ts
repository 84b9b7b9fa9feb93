import { byCodeUnit } from '../../core/compare.js';
import { mapRecord, sortedRecord } from '../../core/map-record.js';
import type { OutputFile } from '../../core/output-file.js';
import { sha256 } from '../../formats/sha256.js';
import type { InputDigest, InputRead, Inputs, Reference } from '../../graph/context.js';

/** What a run saw of the directory, by what it asked for; two equal records mean two runs with the same inputs. */
export type InputRecord = Readonly<Record<string, string>>;

/** Inputs that note what is asked of them. */
export interface RecordedInputs {
  readonly inputs: Inputs;
  /** Everything asked for so far. */
  readonly record: () => InputRecord;
}

/** The same inputs, with a record of what is asked for. */
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
        seen.set(questionOf(reference), digestOfRead(read));
        return read;
      },
      digest: (path) => {
        const digest = inputs.digest(path);
        seen.set(`digest ${path}`, textOfDigest(digest));
        return digest;
      },
      list: (folder) => {
        const names = inputs.list(folder);
        seen.set(`list ${folder}`, digestOfList(names));
        return names;
      },
    },
    record: () => sortedRecord(seen),
  };
}

/** Whether everything a run asked for is still as it was. */
export function isUnchanged(record: InputRecord, inputs: Inputs): boolean {
  return Object.entries(record).every(([question, digest]) => answerTo(question, inputs) === digest);
}

/** The record that a run would make that asks the same. */
export function answersTo(questions: readonly string[], inputs: Inputs): InputRecord {
  return Object.fromEntries(questions.map((question) => [question, answerTo(question, inputs)]));
}

function answerTo(question: string, inputs: Inputs): string {
  const path = pathIn(question);
  const reference = referenceIn(question);
  if (reference !== undefined) return digestOfRead(inputs.readReference(reference));
  if (question.startsWith('read ')) return digestOfRead(inputs.read(path));
  return question.startsWith('digest ') ? textOfDigest(inputs.digest(path)) : digestOfList(inputs.list(path));
}

/** The record that a run would make after files were written and removed: what it asked for then holds our own outputs. */
export function recordAfter(
  record: InputRecord,
  inputs: Inputs,
  { writes, removals }: { readonly writes: readonly OutputFile[]; readonly removals: readonly string[] },
): InputRecord {
  const written = new Map(writes.map(({ path, contents }) => [path, sha256(contents)]));
  return mapRecord(record, (digest, question) => {
    const path = pathIn(question);
    // Of what is outside, and of a file that a field names, nothing is ours.
    if (referenceIn(question) !== undefined) return digest;
    if (!question.startsWith('list '))
      return written.get(path) ?? (removals.includes(path) ? 'absent' : digest);
    const before = inputs.list(path);
    const made = [...written.keys()].flatMap((each) => entryIn(path, each));
    if (before === undefined && made.length === 0) return digest;
    const gone = removals.flatMap((each) => entryIn(path, each)).filter((name) => !name.endsWith('/'));
    const names = new Set([...(before ?? []), ...made].filter((name) => !gone.includes(name)));
    return digestOfList([...names].sort(byCodeUnit));
  });
}

/** A reference as a record names it, such as `file pullSecretFile secrets/pull.json`. */
function questionOf({ field, place }: Reference): string {
  switch (place.kind) {
    case 'file':
      return `file ${field} ${place.path}`;
    case 'variable':
      return `variable ${field} ${place.name}`;
    case 'stdin':
      return `stdin ${field}`;
  }
}

/** The reference that a question of a record asks for; undefined of any other. */
export function referenceIn(question: string): Reference | undefined {
  const [, kind, field = '', rest = ''] = /^(file|variable|stdin) (\S+) ?(.*)$/s.exec(question) ?? [];
  if (kind === 'file') return { field, place: { kind, path: rest } };
  if (kind === 'variable') return { field, place: { kind, name: rest } };
  return kind === 'stdin' ? { field, place: { kind } } : undefined;
}

/** The paths that a run asked for in one way, such as `read`. */
export function pathsAsked(record: InputRecord, kind: 'read' | 'list'): readonly string[] {
  const paths: string[] = [];
  for (const question of Object.keys(record)) {
    if (question.startsWith(`${kind} `)) paths.push(pathIn(question));
  }
  return paths;
}

/** What a question is about that is none for a reference. */
function pathIn(question: string): string {
  return question.slice(question.indexOf(' ') + 1);
}

/** The name by which a folder lists a path below it. */
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
