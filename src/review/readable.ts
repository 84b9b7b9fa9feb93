import { isUtf8 } from 'node:buffer';

import { mayBeSecret, withoutSecrets } from '../core/secrets.js';
import { decodeDataUrl } from '../formats/data-url.js';
import { factsOfPem } from './key-facts.js';

/** What stands in the place of a value of which nothing may be shown. */
export const hidden = '<secret>';

/** How a text is shown that stands in another, so many deep. */
type Shown = (text: string, depth: number) => string;

/** How many texts within texts are looked into: a login in a Secret in a MachineConfig in a config within a config are fewer. */
export const deepest = 8;

/**
 * A text as a person reviews it: certificates by what they say, keys by type and fingerprint, base64 and data URLs by what is in
 * them, as `inside` shows it, and nothing that looks like a secret.
 */
export function readable(text: string, depth = 0, inside: Shown = readable): string {
  if (depth > deepest) return '<nested too deeply>';
  const within = (found: string): string => inside(found, depth + 1);
  const facts: string[] = [];
  const marked = (fact: string): string => `${mark}${facts.push(fact) - 1}${mark}`;
  return text
    .replaceAll(mark, '') // No text of a user stands for a fact.
    .replaceAll(dataUrlWord, (url) => marked(shownDataUrl(url, within)))
    .replaceAll(pemBlock, (block, label: string) => marked(`<${factsOfPem(label, plainPem(block))}>`))
    .replaceAll(base64Word, (word) => {
      const pem = textInBase64(word);
      return pem !== undefined && isPem(pem) ? marked(`<base64 of ${readable(pem)}>`) : word;
    })
    .split('\n')
    .map((line) =>
      withoutSecrets(line, mark).replaceAll(loginInUrl, `$1${hidden}@`).replaceAll(bareLogin, `${hidden}@`),
    )
    .join('\n')
    .replaceAll(base64Word, (word) => {
      const found = textInBase64(word);
      if (found === undefined) return word;
      return isLogin(found) ? hidden : `<base64 of ${within(found)}>`;
    })
    .replaceAll(/\$2[aby]\$\d\d\$[A-Za-z0-9./]{53}/g, '<bcrypt hash>')
    .replaceAll(markedFact, (_all, index: string) => facts[Number(index)] ?? '');
}

/** The same of what may be a URL, whose query may give access to what it names. */
export function readableUrl(text: string, inside: Shown = readable): string {
  return readable(text, 0, inside).replace(/^(\w+:\/\/[^?#\s]*)\?.*$/, `$1?${hidden}`);
}

/** A word of which nobody knows whether it is what stands in its place by right; none that may be a secret. */
export function shownWord(text: string): string {
  return mayBeSecret(text) ? hidden : readable(text);
}

/** The path of a file or the name of a unit; none that is a URL or has a user with a password in it. */
export function shownPath(path: string): string {
  if (/:\/\/|:[^/]*@/.test(path)) return hidden;
  const whole = readable(path);
  // Base64 has slashes too, so a part of a path is seen to be some only where it stands alone.
  return whole === path
    ? path
        .split('/')
        .map((part) => readable(part))
        .join('/')
    : whole;
}

/** A character that no standard gives a meaning; two of them hold the number of a fact. Source: Unicode, private use area */
const mark = '\uE000';
const markedFact = /\uE000(\d+)\uE000/g;

const dataUrlWord = /\bdata:(?:[\w.+-]+\/[\w.+-]+)?(?:;[\w=.-]+)*,[^\s"'\\<>`|]*/g;

/** What is in a data URL, on lines of its own where it has several. */
export function shownDataUrl(url: string, within: (text: string) => string): string {
  const bytes = decodeDataUrl(url);
  if (bytes === undefined) return hidden;
  if (!isUtf8(bytes)) return `<data: ${bytes.length} bytes>`;
  const text = within(bytes.toString('utf8'));
  return text.trimEnd().includes('\n') ? `<data:\n${text}>` : `<data: ${text}>`;
}

/** User and password before the host of a URL, even where blanks or slashes in a password make it none. */
const loginInUrl = /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s@"'/:<>[\]]+:[^\n@"'<>]*@/gi;

/** The same before a host, as in a URL that lacks its scheme; neither a digest nor an address of mail. */
const bareLogin = /(?<![\w/@.%+-])(?!mailto:)[\w.%+-]+:[^\s:/@'"]+@(?!sha\d)(?=[A-Za-z0-9[])/g;

const base64Word = /[A-Za-z0-9+/]{40,}={0,2}/g;

/** A PEM block whose lines may be indented, as in YAML, or parted by `\n`, as in JSON. */
export const pemBlock =
  /-----BEGIN ([A-Z0-9 ]+)-----(?:(?:\s|\\n)+[A-Za-z0-9+/=]+)+(?:\s|\\n)+-----END \1-----(?:\\n)?/g;

/** A PEM block as openssl reads it, whatever it stood in. */
export function plainPem(block: string): string {
  const text = block.replaceAll('\\n', '\n').replaceAll(/^[ \t]+/gm, '');
  return `${text.trim()}\n`;
}

/** Whether a text is PEM blocks and nothing else. */
export function isPem(text: string): boolean {
  return text.includes('-----BEGIN ') && text.replaceAll(pemBlock, '').trim() === '';
}

/** User and password as HTTP sends them, and registries are told. Source: RFC 7617 §2 */
function isLogin(text: string): boolean {
  return /^[^\s:/]+:(?!\/\/)\S+$/.test(text);
}

/** What a base64 word holds, when it is text. */
function textInBase64(word: string): string | undefined {
  const text = Buffer.from(word, 'base64').toString('utf8');
  const isText = word.length % 4 === 0 && /^[\t\n\r\u0020-\u007e\u00a0-\ufffc]*$/.test(text);
  return isText ? text : undefined;
}
