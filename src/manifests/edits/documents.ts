import { type Place, type Problem, problem } from '../../core/problem.js';
import { type Result, failure, resultOf } from '../../core/result.js';
import { checkedAs } from '../../formats/apply-schema.js';
import { toData, type YamlNode } from '../../formats/yaml/yaml-tree.js';
import { readYaml } from '../../formats/yaml/yaml.js';
import { sha256 } from '../../formats/sha256.js';
import type { Manifest, ManifestSource } from '../../kube/manifest.js';
import type { KubeObject } from '../../kube/object.js';
import { isSecretManifest } from '../../kube/secret-manifest.js';
import { shapeProblems } from './object-shape.js';

/** An object in a user's file. */
export interface UserObject {
  readonly object: KubeObject;
  /** The user's text, byte for byte; the whole file if it contains nothing else. */
  readonly text: string;
  readonly source: ManifestSource;
}

/**
 * Reads the objects of a YAML or JSON file, one per document that is not blank. Objects that are applied have a limit of size.
 * Problems: manifest/too-large, manifest/not-text, manifest/syntax, manifest/not-an-object, and those of `shapeProblems`.
 */
export function readObjects(
  file: string,
  bytes: Uint8Array,
  { isApplied = true }: { readonly isApplied?: boolean } = {},
): Result<readonly UserObject[]> {
  const key = [file, sha256(bytes), isApplied].join('\0');
  const known = readFiles.get(key) ?? objectsIn(file, bytes, isApplied);
  if (readFiles.size >= maxReadFiles) readFiles.clear();
  readFiles.set(key, known);
  return known;
}

/** Files that were read, since the sites of a fleet share most of theirs. */
const readFiles = new Map<string, Result<readonly UserObject[]>>();
const maxReadFiles = 1000;

function objectsIn(file: string, bytes: Uint8Array, isApplied: boolean): Result<readonly UserObject[]> {
  if (bytes.length > maxFileBytes) return failure(tooLarge(file, 'the file', maxFileBytes));
  const text = decode(bytes);
  if (text === undefined) {
    return failure(
      problem('manifest/not-text', 'the file is not UTF-8 text', {
        at: { file },
        hint: 'save it as UTF-8, without NUL bytes',
      }),
    );
  }
  const documents = splitDocuments(text);
  if (documents.length === 0) {
    return failure(noObject({ file }));
  }
  const read = documents.map((document) =>
    isApplied && document.text.length > maxObjectBytes
      ? { objects: [], problems: [tooLarge(file, 'the object', maxObjectBytes)] }
      : readObject(file, document),
  );
  return resultOf(
    read.flatMap(({ objects }) => objects),
    read.flatMap(({ problems }) => problems),
  );
}

export function userManifest(path: string, { object, text, source }: UserObject): Manifest {
  return { path, object, text, source, isSecret: isSecretManifest(object, text), origin: 'added' };
}

/** etcd's limit for a request. Source: etcd.io/docs/v3.5/dev-guide/limit, "Request size limit". */
const maxObjectBytes = 1.5 * 1024 * 1024;

/** Far larger than the live ISO can hold, even if it compresses well. */
const maxFileBytes = 16 * 1024 * 1024;

function tooLarge(file: string, what: string, limit: number): Problem {
  const message = `${what} is larger than ${limit / 1024 / 1024} MiB, which cannot be installed`;
  return problem('manifest/too-large', message, { at: { file }, hint: 'apply it when the cluster is up' });
}

function noObject(at: Place): Problem {
  return problem('manifest/not-an-object', 'the file contains no object', {
    at,
    hint: 'write an object, or remove the file',
  });
}

interface Reading {
  readonly objects: readonly UserObject[];
  readonly problems: readonly Problem[];
}

function readObject(file: string, { text, line }: TextDocument): Reading {
  const { documents, faults } = readYaml(text, { firstLine: line });
  const problems = faults.map(({ message, hint, span }) =>
    problem('manifest/syntax', message, { at: { file, ...span }, hint }),
  );
  const [root, ...others] = documents.filter((document) => !isEmpty(document));
  if (problems.length > 0) return { objects: [], problems };
  // A directive alone, such as `%YAML 1.1`, is neither a document nor blank.
  if (root === undefined) return { objects: [], problems: [noObject({ file, line })] };
  if (others.length > 0) return { objects: [], problems: [unseparated(file, line)] };
  const source = { file, root };
  const found = shapeProblems(source);
  if (found.length > 0) return { objects: [], problems: found };
  return { objects: [{ object: checkedAs<KubeObject>(toData(root)), text, source }], problems: [] };
}

/** The document after a last line `---`. */
function isEmpty(root: YamlNode): boolean {
  return root.kind === 'scalar' && root.text === '' && root.value === null;
}

/** Reports a document that ends with `...` and is followed by another one without `---`. */
function unseparated(file: string, line: number): Problem {
  return problem('manifest/syntax', 'two documents are not separated by a line "---"', {
    at: { file, line },
    hint: 'start each document with a line "---"',
  });
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

interface TextDocument {
  readonly text: string;
  /** First line of the text in the file, from 1. */
  readonly line: number;
}

/**
 * Splits a YAML text into the documents that are not blank. A text with a single document is kept whole with its separators,
 * unless a parser that reads only the first document would miss it.
 * As in Kubernetes, a document ends at a line that starts with `---`.
 * Source: kubernetes/apimachinery pkg/util/yaml splitYAMLDocument.
 */
export function splitDocuments(text: string): readonly TextDocument[] {
  const pieces = cutAtSeparators(text);
  const [only, ...others] = pieces.filter((piece) => !isBlank(piece.text));
  if (only === undefined) return [];
  if (others.length > 0) return [only, ...others].map(({ text, line }) => ({ text, line }));
  const { index } = only;
  const isFirst = index === 0 || (index === 1 && isBlank(pieces[0]?.text ?? ''));
  return [isFirst ? { text, line: 1 } : { text: only.text, line: only.line }];
}

interface Piece extends TextDocument {
  readonly index: number;
}

const separator = /^---(?=[ \t\r\n]|$)[^\n]*(?:\n|$)/gm;

function cutAtSeparators(text: string): readonly Piece[] {
  const cuts = [...text.matchAll(separator)];
  const starts = [0, ...cuts.map((cut) => cut.index + (holdsContent(cut[0]) ? 0 : cut[0].length))];
  const ends = [...cuts.map((cut) => cut.index), text.length];
  let line = 1;
  let counted = 0;
  return starts.map((start, index) => {
    line += countLineBreaks(text.slice(counted, start));
    counted = start;
    return { text: text.slice(start, ends[index]), line, index };
  });
}

/** A separator line such as `--- {a: b}` contains the start of a document. */
function holdsContent(separatorLine: string): boolean {
  return !isBlank(separatorLine.slice('---'.length));
}

function isBlank(text: string): boolean {
  return /^(?:[ \t\r]*(?:#[^\n]*)?(?:\n|$))*$/.test(text);
}

function countLineBreaks(text: string): number {
  return text.split('\n').length - 1;
}
