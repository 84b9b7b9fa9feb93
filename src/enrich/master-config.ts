import { problem } from '../core/problem.js';
import { quoted } from '../core/quoted.js';
import { failure, success, type Result } from '../core/result.js';
import { parseJson } from '../formats/json.js';
import { decodeUtf8 } from '../formats/utf8.js';
import { fieldAt, isRecord, listAt, textAt } from '../kube/fields.js';
import type { NamedFile } from './assets-of-node.js';

/** The config of the master as the machine-config server gives it. */
export interface MasterConfig {
  /** As given, byte for byte. */
  readonly bytes: Uint8Array;
  readonly filePaths: readonly string[];
  /** Paths of folders and links. */
  readonly otherPaths: readonly string[];
  readonly unitNames: readonly string[];
}

/** The input, when it can be the config of a whole node. Problems: enrich/input. */
export function readMasterConfig({ name, bytes }: NamedFile): Result<MasterConfig> {
  const text = decodeUtf8(bytes);
  const config = text === undefined ? undefined : parseJson(text);
  const fault =
    text === undefined ? 'is not UTF-8 text' : (faultOfText(text, config) ?? faultOfConfig(config));
  if (fault !== undefined) {
    return failure(problem('enrich/input', `the input ${fault}`, { at: { file: name }, hint }));
  }
  return success({
    bytes,
    filePaths: textsIn(config, ['storage', 'files'], 'path'),
    otherPaths: ['directories', 'links'].flatMap((kind) => textsIn(config, ['storage', kind], 'path')),
    unitNames: textsIn(config, ['systemd', 'units'], 'name'),
  });
}

const hint =
  'fetch it from the machine-config server with the header "Accept: application/vnd.coreos.ignition+json;version=3.2.0"';

function faultOfText(text: string, value: unknown): string | undefined {
  if (text.trim() === '') return 'is empty';
  if (/^\s*</.test(text)) return 'is a page of HTML or XML, not an Ignition config';
  if (value === undefined) return 'is not JSON';
  return undefined;
}

function faultOfConfig(config: unknown): string | undefined {
  const version = textAt(config, ['ignition', 'version']);
  if (version === undefined) return withoutVersion(config);
  // The newest that every release reads and the node asks for; a config may merge older ones, of 3.x, alone.
  if (!/^3\.[0-2]\.0$/.test(version)) {
    return `is an Ignition config of version ${quoted(version)}, expected 3.0.0 to 3.2.0`;
  }
  const sources = ['merge', 'replace'].map((way) => fieldAt(config, ['ignition', 'config', way]));
  if (sources.some(namesSource))
    return 'takes a part of itself from another config, which cannot be looked into';
  return faultOfContents(config);
}

/** The forms of an error: that of the Kubernetes API, and what other servers commonly answer. */
function withoutVersion(config: unknown): string {
  const isStatus = fieldAt(config, ['kind']) === 'Status';
  const isError = isRecord(config) && ['error', 'errors', 'message'].some((name) => name in config);
  return isStatus || isError ? 'is the error that a server answered' : 'is not an Ignition config';
}

function namesSource(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : textAt(value, ['source']) !== undefined;
}

function faultOfContents(config: unknown): string | undefined {
  if (
    listAt(config, ['storage', 'files']).length === 0 ||
    listAt(config, ['systemd', 'units']).length === 0
  ) {
    return 'holds no files or no units, as if the machine-config operator had not finished';
  }
  const nameless = entryKeys.find(({ path, key }) =>
    listAt(config, path).some((entry) => textAt(entry, [key]) === undefined),
  );
  return nameless && `has an entry of ${nameless.path.join('.')} without ${nameless.key}`;
}

/** What the entries of a list are known by. Source: coreos.github.io/ignition/configuration-v3_2 */
const entryKeys = [
  { path: ['storage', 'files'], key: 'path' },
  { path: ['storage', 'directories'], key: 'path' },
  { path: ['storage', 'links'], key: 'path' },
  { path: ['systemd', 'units'], key: 'name' },
];

function textsIn(config: unknown, path: readonly string[], key: string): readonly string[] {
  return listAt(config, path).flatMap((entry) => textAt(entry, [key]) ?? []);
}
