import { decodeUtf8 } from '../formats/utf8.js';
import { readYaml } from '../formats/yaml/yaml.js';
import type { YamlNode } from '../formats/yaml/yaml-tree.js';
import type { InputRead } from '../graph/context.js';
import type { Template } from './expand.js';

/** A file of YAML that may hold placeholders. */
export interface ParsedFile extends Template {
  readonly documents: readonly YamlNode[];
}

/** A file of the base is read once, and is the same for every site. */
const parsedReads = new WeakMap<InputRead, ParsedFile | undefined>();

/** A file of YAML without a fault; undefined for any other, which is judged as what it is. */
export function parsedFile(file: string, read: InputRead): ParsedFile | undefined {
  if (!parsedReads.has(read)) parsedReads.set(read, parse(file, read));
  return parsedReads.get(read);
}

function parse(file: string, read: InputRead): ParsedFile | undefined {
  const text = read.kind === 'file' ? decodeUtf8(read.bytes) : undefined;
  if (text === undefined) return undefined;
  const { documents, faults } = readYaml(text);
  return faults.length === 0 && documents.length > 0 ? { file, text, documents } : undefined;
}
