import { problem, type Place, type Problem } from '../../core/problem.js';
import { quoted } from '../../core/quoted.js';
import { decodeUtf8 } from '../../formats/utf8.js';
import { nodeAt, spanOf, type YamlNode } from '../../formats/yaml/yaml-tree.js';
import type { Inputs, Reference } from '../../graph/context.js';
import { readConfigFile } from './config-file.js';

/** Fields of install-config.yaml, and the fields of sno-config.yaml that reference their values. */
export const referenceFields = { pullSecret: 'pullSecretFile', sshKey: 'sshKeyFile' } as const;

/** A field of install-config.yaml whose value can be referenced. */
export type ReferencedField = keyof typeof referenceFields;

/** In the order of their problems. */
export const referencedFields: readonly ReferencedField[] = ['pullSecret', 'sshKey'];

/** A referenced value of install-config.yaml. */
export interface ReferencedText {
  /** The field with the reference. */
  readonly field: string;
  /** Absent if it could not be read, which another problem reports. */
  readonly text?: string;
  /** Position of the reference in sno-config.yaml. */
  readonly at: Place;
  /** The file with the value; absent for an environment variable or stdin. */
  readonly file?: string;
}

/** The referenced values, and the problems of reading them. */
export interface ReferencedTexts {
  readonly texts: Readonly<Partial<Record<ReferencedField, ReferencedText>>>;
  readonly problems: readonly Problem[];
}

const file = 'sno-config.yaml';

/**
 * Reads the values that sno-config.yaml references. This runs before sno-config.yaml is checked, because the check of install-config.yaml
 * needs the values; a rule of sno-config.yaml checks the syntax of references later. Problem: config/reference.
 */
export function readReferencedTexts(inputs: Inputs): ReferencedTexts {
  const read = inputs.read(file);
  const fields = referencedFields.filter((field) =>
    // Avoids parsing the many configs without references.
    read.kind === 'file' ? Buffer.from(read.bytes).includes(referenceFields[field]) : false,
  );
  if (fields.length === 0) return { texts: {}, problems: [] };
  const config = readConfigFile(inputs, file);
  const readings = fields.flatMap((field) => {
    const reading =
      config.kind === 'document'
        ? readField(referenceFields[field], config.root, inputs)
        : unknownText(field);
    return reading === undefined ? [] : [{ field, ...reading }];
  });
  return {
    texts: Object.fromEntries(readings.map(({ field, text }) => [field, text])),
    problems: readings.flatMap(({ found = [] }) => found),
  };
}

interface FieldReading {
  readonly text: ReferencedText;
  readonly found?: readonly Problem[];
}

/** For a file that contains the field name but cannot be parsed. */
function unknownText(field: ReferencedField): FieldReading {
  return { text: { field: referenceFields[field], at: { file } } };
}

function readField(field: string, root: YamlNode, inputs: Inputs): FieldReading | undefined {
  const node = nodeAt(root, [field]);
  if (node === undefined || (node.kind === 'scalar' && node.value === null)) return undefined;
  const at: Place = { file, path: field, ...spanOf(root, [field]) };
  const place = node.kind === 'scalar' ? parseReference(node.text) : undefined;
  if (place === undefined) return { text: { field, at } };
  const read = readReferencedText({ field, place }, inputs);
  if ('fault' in read)
    return { text: { field, at }, found: [problem('config/reference', read.fault, { at, hint: read.hint })] };
  return { text: { field, at, text: read.text, ...(place.kind === 'file' && { file: place.path }) } };
}

const variablePrefix = 'env:';

/** Parses a reference; undefined if it is invalid, which a rule reports. */
export function parseReference(reference: string): Reference['place'] | undefined {
  if (reference.trim() === '' || /[\u0000-\u001f\u007f]/.test(reference)) return undefined;
  if (reference === '-') return { kind: 'stdin' };
  if (!reference.startsWith(variablePrefix)) return { kind: 'file', path: reference };
  const name = reference.slice(variablePrefix.length);
  // POSIX.1-2017 §8.1, environment variable definition
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? { kind: 'variable', name } : undefined;
}

/** The reason why reading failed, as a whole sentence. */
interface Fault {
  readonly fault: string;
  readonly hint?: string;
}

/** Reads the text of a reference. */
export function readReferencedText(reference: Reference, inputs: Inputs): { readonly text: string } | Fault {
  const what = `the ${reference.field} ${shown(reference.place)}`;
  const read = inputs.readReference(reference);
  if (read.kind === 'absent')
    return reference.place.kind === 'variable'
      ? { fault: `${what} is not set`, hint: 'export it, or name a file' }
      : {
          fault: `${what} does not exist`,
          hint: 'paths are relative to the directory of the config; "~" is not expanded',
        };
  if (read.kind === 'unreadable') return { fault: `${what} cannot be read: ${read.reason}` };
  const text = decodeUtf8(read.bytes)?.replace(/^\ufeff/, '');
  if (text === undefined) return { fault: `${what} is not UTF-8 text` };
  return text.trim() === '' ? { fault: `${what} is empty` } : { text };
}

function shown(place: Reference['place']): string {
  switch (place.kind) {
    case 'file':
      return quoted(place.path);
    case 'variable':
      return quoted(`${variablePrefix}${place.name}`);
    case 'stdin':
      return 'on stdin';
  }
}
