import { isUtf8 } from 'node:buffer';

import { mayBeSecret, redactSecrets } from '../core/secrets.js';
import { decodeDataUrl } from '../formats/data-url.js';
import { factsOfPem } from './key-facts.js';

/** Replaces a masked value. */
export const maskedValue = '<secret>';

/** Renders a nested text at a given depth. */
type Shown = (text: string, depth: number) => string;

/** Limit for nested texts. A login in a Secret in a MachineConfig in a config within a config has fewer levels. */
export const maxNesting = 8;

/**
 * Renders a text for review. Shows certificates by their fields, keys by type and fingerprint, and base64 and data URLs by their
 * decoded content, rendered by `inside`. Masks everything that looks like a secret.
 */
export function renderText(text: string, depth = 0, inside: Shown = renderText): string {
  if (depth > maxNesting) return '<nested too deeply>';
  const within = (found: string): string => inside(found, depth + 1);
  const facts: string[] = [];
  const marked = (fact: string): string => `${mark}${facts.push(fact) - 1}${mark}`;
  return text
    .replaceAll(mark, '') // Prevents user texts from imitating a marked fact.
    .replaceAll(dataUrlWord, (url) => marked(shownDataUrl(url, within)))
    .replaceAll(pemBlock, (block, label: string) => marked(`<${factsOfPem(label, plainPem(block))}>`))
    .replaceAll(base64Word, (word) => {
      const pem = textInBase64(word);
      return pem !== undefined && isPem(pem) ? marked(`<base64 of ${renderText(pem)}>`) : word;
    })
    .split('\n')
    .map((line) =>
      redactSecrets(line, mark)
        .replaceAll(loginInUrl, `$1${maskedValue}@`)
        .replaceAll(schemelessLogin, `${maskedValue}@`),
    )
    .join('\n')
    .replaceAll(base64Word, (word) => {
      const found = textInBase64(word);
      if (found === undefined) return word;
      return isLogin(found) ? maskedValue : `<base64 of ${within(found)}>`;
    })
    .replaceAll(/\$2[aby]\$\d\d\$[A-Za-z0-9./]{53}/g, '<bcrypt hash>')
    .replaceAll(markedFact, (_all, index: string) => facts[Number(index)] ?? '');
}

/** Like `readable` for a possible URL: also masks the query, which may contain credentials. */
export function renderUrl(text: string, inside: Shown = renderText): string {
  return renderText(text, 0, inside).replace(/^(\w+:\/\/[^?#\s]*)\?.*$/, `$1?${maskedValue}`);
}

/** Renders a single word, or masks it if it may be a secret. */
export function renderWord(text: string): string {
  return mayBeSecret(text) ? maskedValue : renderText(text);
}

/** Renders a file path or unit name. Masks URLs and texts with credentials. */
export function renderPath(path: string): string {
  if (/:\/\/|:[^/]*@/.test(path)) return maskedValue;
  const whole = renderText(path);
  // Base64 contains slashes too, so also check each path component alone.
  return whole === path
    ? path
        .split('/')
        .map((part) => renderText(part))
        .join('/')
    : whole;
}

/** A private use character. Two of them enclose the index of a fact. Source: Unicode, private use area */
const mark = '\uE000';
const markedFact = /\uE000(\d+)\uE000/g;

const dataUrlWord = /\bdata:(?:[\w.+-]+\/[\w.+-]+)?(?:;[\w=.-]+)*,[^\s"'\\<>`|]*/g;

/** Renders the content of a data URL, on separate lines if it has several. */
export function shownDataUrl(url: string, within: (text: string) => string): string {
  const bytes = decodeDataUrl(url);
  if (bytes === undefined) return maskedValue;
  if (!isUtf8(bytes)) return `<data: ${bytes.length} bytes>`;
  const text = within(bytes.toString('utf8'));
  return text.trimEnd().includes('\n') ? `<data:\n${text}>` : `<data: ${text}>`;
}

/** User and password in a URL. The password may contain spaces or slashes, which make the URL invalid. */
const loginInUrl = /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s@"'/:<>[\]]+:[^\n@"'<>]*@/gi;

/** User and password before a host without a scheme; excludes digests and mail addresses. */
const schemelessLogin = /(?<![\w/@.%+-])(?!mailto:)[\w.%+-]+:[^\s:/@'"]+@(?!sha\d)(?=[A-Za-z0-9[])/g;

const base64Word = /[A-Za-z0-9+/]{40,}={0,2}/g;

/** A PEM block. Its lines may be indented, as in YAML, or separated by an escaped newline (`\n`), as in JSON. */
export const pemBlock =
  /-----BEGIN ([A-Z0-9 ]+)-----(?:(?:\s|\\n)+[A-Za-z0-9+/=]+)+(?:\s|\\n)+-----END \1-----(?:\\n)?/g;

/** Normalizes a PEM block so that openssl accepts it. */
export function plainPem(block: string): string {
  const text = block.replaceAll('\\n', '\n').replaceAll(/^[ \t]+/gm, '');
  return `${text.trim()}\n`;
}

/** Whether a text consists of PEM blocks only. */
export function isPem(text: string): boolean {
  return text.includes('-----BEGIN ') && text.replaceAll(pemBlock, '').trim() === '';
}

/** HTTP basic credentials, also used for registries. Source: RFC 7617 §2 */
function isLogin(text: string): boolean {
  return /^[^\s:/]+:(?!\/\/)\S+$/.test(text);
}

/** Decodes a base64 word; undefined if the result is not text. */
function textInBase64(word: string): string | undefined {
  const text = Buffer.from(word, 'base64').toString('utf8');
  const isText = word.length % 4 === 0 && /^[\t\n\r\u0020-\u007e\u00a0-\ufffc]*$/.test(text);
  return isText ? text : undefined;
}
