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
  readonly heardAt: string;
}

/** API states by site name. */
export type ApiStates = ReadonlyMap<string, ApiState>;

/** 10,000 sites need about 3 MB. A larger file was not written by this program and is ignored. */
const maxBytes = 32 * 1024 * 1024;

/** Longer descriptions are cut. */
const maxCharacters = 300;

/** Reads the API states from a file. Returns an empty map if the file is missing or invalid; skips invalid entries. */
export function readApiStates(path: string): ApiStates {
  const read = readTrustedFile(path, maxBytes);
  const value = read.kind === 'file' ? parseJson(read.bytes.toString('utf8')) : undefined;
  const sites = fieldAt(value, ['sites']);
  if (fieldAt(value, ['version']) !== 1 || !isRecord(sites)) return new Map();
  return new Map(
    Object.entries(sites).flatMap(([name, entry]) => {
      const word = apiWordIn(entry);
      return word === undefined ? [] : [[name, word] as const];
    }),
  );
}

export function serializeApiStates(words: ApiStates): string {
  return `${JSON.stringify({ version: 1, sites: sortedRecord(words) })}\n`;
}

/**
 * Cuts a text of an API to `maxCharacters` and replaces control, format and line separator characters. They could control a
 * terminal or change the direction of the text around it.
 */
export function printableLine(text: string): string {
  return printable(text.slice(0, maxCharacters));
}

function apiWordIn(entry: unknown): ApiState | undefined {
  const [condition, state, word, since, heardAt] = ['condition', 'state', 'word', 'since', 'heardAt'].map(
    (name) => textAt(entry, [name]),
  );
  if (condition === undefined || !/^[a-z][a-z-]{0,40}$/.test(condition) || !isState(state)) return undefined;
  if (!isTime(since) || !isTime(heardAt)) return undefined;
  return { condition, state, ...(word !== undefined && { word: printableLine(word) }), since, heardAt };
}

function isState(text: string | undefined): text is ApiState['state'] {
  return text === 'waiting' || text === 'reached' || text === 'not-reached';
}

function isTime(text: string | undefined): text is string {
  return (
    text !== undefined && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text) && !Number.isNaN(Date.parse(text))
  );
}
