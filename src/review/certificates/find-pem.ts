import { isUtf8 } from 'node:buffer';

import { decodeDataUrl } from '../../formats/data-url.js';
import { pathText, type FieldPath, type YamlNode } from '../../formats/yaml/yaml-tree.js';
import { readYaml } from '../../formats/yaml/yaml.js';
import { pemBlock, plainPem } from '../render-text.js';

export interface FoundPem {
  readonly label: string;
  /** A normalized block that openssl accepts. */
  readonly pem: string;
  /** The YAML or JSON field that contains it, such as `users[0].user.client-certificate-data`; empty in other texts. */
  readonly field: string;
}

export interface PemSearchResult {
  readonly blocks: readonly FoundPem[];
  /** Fields with a certificate that has a header but no end; the empty string for texts without fields. */
  readonly cutOff: readonly string[];
}

/** Limit for nested encodings. Base64 in a data URL in the base64 of a Secret has three levels. */
const deepest = 6;

/** Longer than names and digests, shorter than any certificate. */
const base64Word = /[A-Za-z0-9+/]{200,}={0,2}/g;

/** The start of a certificate with data. A script may contain only the header line. */
const beginning = /-----BEGIN CERTIFICATE-----(?:\s|\\n)+[A-Za-z0-9+/]{40}/;

/** Finds every PEM block of a file in order: plain, in base64 and in data URLs. Reports the field if the file is YAML or JSON. */
export function findPem(bytes: Buffer): PemSearchResult {
  if (!isUtf8(bytes)) return { blocks: [], cutOff: [] };
  return inText(bytes.toString('utf8'), [], 0);
}

function inText(text: string, path: FieldPath, depth: number): PemSearchResult {
  if (depth > deepest || !mayHold(text)) return all([]);
  const plain = inPlainText(text, path, depth);
  if (plain.blocks.length === 0 || !mayHaveFields.test(text)) return plain;
  const { documents } = readYaml(text);
  const texts = documents.flatMap((document, index) =>
    textsOf(document, documents.length === 1 ? path : [...path, index]),
  );
  const byField = all(texts.map((each) => inPlainText(each.text, each.path, depth)));
  // YAML comments, and texts that only look like YAML, have blocks outside of fields. Report those without fields.
  return byField.blocks.length === plain.blocks.length ? byField : plain;
}

/** The first line of JSON, or a YAML field. */
const mayHaveFields = /^\s*[{[]|^[ -]*[\w"'.-]+: /m;

function mayHold(text: string): boolean {
  return text.includes('-----BEGIN ') || text.startsWith('data:') || text.search(base64Word) !== -1;
}

interface TextAt {
  readonly text: string;
  readonly path: FieldPath;
}

function textsOf(node: YamlNode, path: FieldPath): readonly TextAt[] {
  switch (node.kind) {
    case 'scalar':
      return typeof node.value === 'string' ? [{ text: node.value, path }] : [];
    case 'list':
      return node.items.flatMap((item, index) => textsOf(item, [...path, index]));
    case 'map':
      return node.entries.flatMap(({ key, value }) => textsOf(value, [...path, key]));
  }
}

function inPlainText(text: string, path: FieldPath, depth: number): PemSearchResult {
  const decoded = decodeDataUrl(text.trim());
  if (decoded !== undefined)
    return isUtf8(decoded) ? inText(decoded.toString('utf8'), path, depth + 1) : all([]);
  const field = pathText(path);
  const blocks = [...text.matchAll(pemBlock)].map(([block, label = '']) => ({
    label,
    pem: plainPem(block),
    field,
  }));
  const rest = text.replaceAll(pemBlock, '');
  const within = [...rest.matchAll(base64Word)].map(([word]) => {
    const inner = Buffer.from(word, 'base64');
    return isUtf8(inner) ? inText(inner.toString('utf8'), path, depth + 1) : all([]);
  });
  return all([{ blocks, cutOff: beginning.test(rest) ? [field] : [] }, ...within]);
}

function all(readings: readonly PemSearchResult[]): PemSearchResult {
  return {
    blocks: readings.flatMap(({ blocks }) => blocks),
    cutOff: readings.flatMap(({ cutOff }) => cutOff),
  };
}
