import { isRecord } from '../../core/is-record.js';
import { printable } from '../../core/printable.js';
import { sortedRecord } from '../../core/map-record.js';
import { readTrustedFile } from '../../disk/trust.js';
import { parseJson } from '../../formats/json.js';
import { fieldAt, textAt } from '../../kube/fields.js';

/** The file with the last API state of each site, in the output directory. */
export const apiStatesFileName = 'wait.json';

/** The last state of a site's API that `fleet wait-for` saw. Contains no secret. */
export interface ApiState {
  /** The awaited condition, such as `install-complete`. */
  readonly condition: string;
  readonly state: 'waiting' | 'reached' | 'not-reached';
  /** A short description on one line; the cluster version if the condition was reached. */
  readonly word?: string;
  /** Time of the last change, and of the last request; RFC 3339. */
  readonly since: string;
  readonly receivedAt: string;
}

/** API states by site name. */
export type ApiStates = ReadonlyMap<string, ApiState>;

/** 10,000 sites need about 3 MB. A larger file was not written by this program and is ignored. */
const maxBytes = 32 * 1024 * 1024;

/** Longer descriptions are cut. */
const maxCharacters = 300;

interface FileNames {
  readonly word: string;
  readonly receivedAt: string;
}

/** Keys by version of the file. 0.1.0 writes version 1. */
const namesByVersion: ReadonlyMap<unknown, FileNames> = new Map([
  [1, { word: 'word', receivedAt: 'heardAt' }],
  [2, { word: 'message', receivedAt: 'receivedAt' }],
]);

/** Reads the API states from a file. Returns an empty map if the file is missing or invalid; skips invalid entries. */
export function readApiStates(path: string): ApiStates {
  const read = readTrustedFile(path, maxBytes);
  const value = read.kind === 'file' ? parseJson(read.bytes.toString('utf8')) : undefined;
  const sites = fieldAt(value, ['sites']);
  const names = namesByVersion.get(fieldAt(value, ['version']));
  if (names === undefined || !isRecord(sites)) return new Map();
  return new Map(
    Object.entries(sites).flatMap(([name, entry]) => {
      const word = apiWordIn(entry, names);
      return word === undefined ? [] : [[name, word] as const];
    }),
  );
}

export function serializeApiStates(words: ApiStates): string {
  const sites = [...words].map(([name, { word, ...more }]) => {
    const message = word === undefined ? {} : { message: word };
    return [name, { ...more, ...message }] as const;
  });
  return `${JSON.stringify({ version: 2, sites: sortedRecord(sites) })}\n`;
}

/**
 * Cuts a text of an API to `maxCharacters` and replaces control, format and line separator characters. They could control a
 * terminal or change the direction of the text around it.
 */
export function printableLine(text: string): string {
  return printable(text.slice(0, maxCharacters));
}

function apiWordIn(entry: unknown, names: FileNames): ApiState | undefined {
  const [condition, state, word, since, receivedAt] = [
    'condition',
    'state',
    names.word,
    'since',
    names.receivedAt,
  ].map((name) => textAt(entry, [name]));
  if (condition === undefined || !/^[a-z][a-z-]{0,40}$/.test(condition) || !isState(state)) return undefined;
  if (!isTime(since) || !isTime(receivedAt)) return undefined;
  return { condition, state, ...(word !== undefined && { word: printableLine(word) }), since, receivedAt };
}

function isState(text: string | undefined): text is ApiState['state'] {
  return text === 'waiting' || text === 'reached' || text === 'not-reached';
}

function isTime(text: string | undefined): text is string {
  return (
    text !== undefined && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text) && !Number.isNaN(Date.parse(text))
  );
}
