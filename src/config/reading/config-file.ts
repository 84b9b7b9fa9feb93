import { problem, type Problem } from '../../core/problem.js';
import { lineIndex } from '../../formats/yaml/line-index.js';
import type { YamlFault } from '../../formats/yaml/yaml-faults.js';
import type { Span, YamlNode } from '../../formats/yaml/yaml-tree.js';
import { readYaml } from '../../formats/yaml/yaml.js';
import type { Inputs } from '../../graph/context.js';

export type ConfigFile =
  | { readonly kind: 'absent' }
  | { readonly kind: 'unusable'; readonly problems: readonly Problem[] }
  /** `root` is a map. The problems are fields given twice, which leave the rest readable. */
  | { readonly kind: 'document'; readonly root: YamlNode; readonly problems: readonly Problem[] };

/** Rule 2. A config has some kilobytes; a trust bundle with all public CAs has about 250 KB. */
const maxBytes = 1024 * 1024;
const maxTokens = 50_000;

/**
 * Reads a config as one YAML map. Problems: config/file-unreadable, config/file-too-large, config/encoding,
 * config/file-name, config/yaml-syntax, config/yaml-size, config/duplicate-field, config/not-one-document.
 */
export function readConfigFile(inputs: Pick<Inputs, 'read'>, file: string): ConfigFile {
  const read = inputs.read(file);
  const misnamed = otherNames(file).filter((name) => inputs.read(name).kind !== 'absent');
  const unread = misnamed.map((name) => misnamedProblem(name, file, read.kind !== 'absent'));
  if (read.kind === 'absent') return unread.length === 0 ? read : unusable(...unread);
  if (read.kind === 'unreadable')
    return unusable(
      problem('config/file-unreadable', `${file} cannot be read: ${read.reason}`, {
        at: { file },
        hint: 'replace it with a file that you can read',
      }),
    );
  if (read.bytes.length > maxBytes) {
    const message = `${file} has ${read.bytes.length} bytes, more than the allowed ${maxBytes}`;
    return unusable(problem('config/file-too-large', message, { at: { file } }));
  }
  const decoded = decode(read.bytes);
  if (!('text' in decoded)) return unusable(encodingProblem(file, decoded));
  const parsed = parse(decoded.text, file);
  return parsed.kind === 'absent' ? parsed : { ...parsed, problems: [...unread, ...parsed.problems] };
}

/** Names that users give a config by mistake, such as `sno-config.yml`. */
function otherNames(file: string): readonly string[] {
  const names = [file.replace(/\.yaml$/, '.yml'), file.replace('-', '_'), file.replace('-', '')];
  return [...new Set(names)].filter((name) => name !== file);
}

function misnamedProblem(name: string, file: string, isBeside: boolean): Problem {
  return problem('config/file-name', `${name} is not read: the file is named ${file}`, {
    at: { file: name },
    hint: isBeside ? `move its fields to ${file}, and remove it` : `rename it to ${file}`,
  });
}

function parse(text: string, file: string): ConfigFile {
  const control = controlCharacter(text);
  if (control) return unusable(encodingProblem(file, control));
  const { documents, faults } = readYaml(text, { maxTokens });
  const problems = faults.map((fault) => faultProblem(fault, file));
  const [root, second] = documents;
  if (!root) return unusable(...(problems.length > 0 ? problems : [notAMap(file, 'is empty')]));
  if (second) {
    const at = { file, ...second.span };
    return unusable(
      problem('config/not-one-document', 'a second YAML document starts here', {
        at,
        hint: 'keep one document; all others would be ignored',
      }),
    );
  }
  if (root.kind === 'map') return { kind: 'document', root, problems };
  const isEmpty = root.kind === 'scalar' && root.value === null;
  return unusable(isEmpty ? notAMap(file, 'is empty') : notAMap(file, 'is not a map of fields', root.span));
}

function unusable(...problems: readonly Problem[]): ConfigFile {
  return { kind: 'unusable', problems };
}

function notAMap(file: string, what: string, span?: Span): Problem {
  return problem('config/not-one-document', `${file} ${what}`, {
    at: { file, ...span },
    hint: 'write one field per line, such as "apiVersion: v1"',
  });
}

const faultCodes = {
  syntax: 'config/yaml-syntax',
  size: 'config/yaml-size',
  'duplicate-key': 'config/duplicate-field',
} as const;

function faultProblem({ kind, message, hint, span }: YamlFault, file: string): Problem {
  return problem(faultCodes[kind], message, { at: { file, ...span }, hint });
}

interface BadText {
  readonly message: string;
  readonly span?: Span;
  readonly hint?: string;
}

function encodingProblem(file: string, { message, span, hint }: BadText): Problem {
  return problem('config/encoding', `${file} ${message}`, { at: { file, ...span }, hint });
}

/** Decodes UTF-8 with or without a byte order mark. Detects UTF-16 by its mark, or because every other byte is zero. */
function decode(bytes: Uint8Array): { readonly text: string } | BadText {
  const [first, second] = bytes;
  const hasMark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  const head = bytes.subarray(0, 64);
  const zeros = (parity: number): number =>
    head.filter((byte, index) => index % 2 === parity && byte === 0).length;
  if (hasMark || Math.max(zeros(0), zeros(1)) > head.length / 4) {
    return { message: 'is UTF-16, not UTF-8', hint: 'save it as UTF-8' };
  }
  const text = decodeUtf8(bytes);
  return text === undefined
    ? { message: 'is not UTF-8', hint: 'save it as UTF-8', ...badLine(bytes) }
    : { text };
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function badLine(bytes: Uint8Array): { readonly span?: Span } {
  let start = 0;
  for (let line = 1; start <= bytes.length; line += 1) {
    const found = bytes.indexOf(0x0a, start);
    const end = found === -1 ? bytes.length : found;
    if (decodeUtf8(bytes.subarray(start, end)) === undefined) return { span: { line, col: 1, length: 1 } };
    start = end + 1;
  }
  return {};
}

/** YAML 1.1 §5.1 allows no control characters except tab and line breaks. A lone carriage return is a line break to some tools only. */
function controlCharacter(text: string): BadText | undefined {
  const at = text.search(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]|\r(?!\n)/);
  if (at === -1) return undefined;
  const span = lineIndex(text).span(at, at + 1);
  const code = text.charCodeAt(at);
  if (code === 0x0d)
    return {
      message: 'contains a carriage return without a line feed',
      span,
      hint: 'save it with Unix or Windows line endings',
    };
  const name = code === 0 ? 'a NUL byte' : `the control character U+${code.toString(16).padStart(4, '0')}`;
  return { message: `has ${name} in it`, span, hint: 'remove it' };
}
