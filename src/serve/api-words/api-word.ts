import { isRecord } from '../../core/is-record.js';
import { sortedRecord } from '../../core/map-record.js';
import { readOwnFile } from '../../disk/regular-file.js';
import { parseJson } from '../../formats/json.js';
import { fieldAt, textAt } from '../../kube/fields.js';

/** The file that says what APIs of sites said last, below the folder of the outputs. */
export const apiWordsName = 'wait.json';

/** What the API of a site said last to `fleet wait-for`. Holds no secret. */
export interface ApiWord {
  /** What was waited for, such as `install-complete`. */
  readonly condition: string;
  readonly state: 'waiting' | 'reached' | 'not-reached';
  /** In a few words of one line; a version, where it was reached. */
  readonly word?: string;
  /** Since when it has said the same, and when it was asked last, in RFC 3339. */
  readonly since: string;
  readonly heardAt: string;
}

/** What APIs said, by the name of the site. */
export type ApiWords = ReadonlyMap<string, ApiWord>;

/** 10,000 sites take some 3 MB; what is larger is none of ours, and is not read. */
const maxBytes = 32 * 1024 * 1024;

/** So much of a word is kept. */
const maxCharacters = 300;

/** The words in a file; none where there is no such file, or it is none of words. What is wrong with a site leaves out that one. */
export function readApiWords(path: string): ApiWords {
  const read = readOwnFile(path, maxBytes);
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

/** The text of such a file. */
export function apiWordsText(words: ApiWords): string {
  return `${JSON.stringify({ version: 1, sites: sortedRecord(words) })}\n`;
}

/** A text of an API on one line, cut, without what would steer a terminal or turn the direction of what stands beside it. */
export function shortWord(text: string): string {
  return text.slice(0, maxCharacters).replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '\u00b7');
}

function apiWordIn(entry: unknown): ApiWord | undefined {
  const [condition, state, word, since, heardAt] = ['condition', 'state', 'word', 'since', 'heardAt'].map(
    (name) => textAt(entry, [name]),
  );
  if (condition === undefined || !/^[a-z][a-z-]{0,40}$/.test(condition) || !isState(state)) return undefined;
  if (!isTime(since) || !isTime(heardAt)) return undefined;
  return { condition, state, ...(word !== undefined && { word: shortWord(word) }), since, heardAt };
}

function isState(text: string | undefined): text is ApiWord['state'] {
  return text === 'waiting' || text === 'reached' || text === 'not-reached';
}

function isTime(text: string | undefined): text is string {
  return (
    text !== undefined && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text) && !Number.isNaN(Date.parse(text))
  );
}
