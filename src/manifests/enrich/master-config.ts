import { isRecord } from '../../core/is-record.js';
import { problem, type Problem } from '../../core/problem.js';
import { quoted } from '../../core/quoted.js';
import { failure, resultOf, type Result } from '../../core/result.js';
import { parseJson, whyNotJson } from '../../formats/json.js';
import { decodeUtf8 } from '../../formats/utf8.js';
import { pathText } from '../../formats/yaml/yaml-tree.js';
import { jsonPlaces } from '../../formats/yaml/yaml.js';
import type { Fault } from '../../ignition/foreign/ignition-fault.js';
import { validateIgnition } from '../../ignition/foreign/validate-ignition.js';
import { fieldAt, isList, listAt, textAt } from '../../kube/fields.js';
import type { NamedFile } from './asset-folder.js';

/** The master config as served by the machine-config server. */
export interface MasterConfig {
  /** The input, byte for byte. */
  readonly bytes: Uint8Array;
  readonly filePaths: readonly string[];
  /** Paths of folders and links. */
  readonly otherPaths: readonly string[];
  readonly unitNames: readonly string[];
}

/** Checks that the input can be the config of a whole node. Problems: enrich/input, enrich/unknown-field. */
export function readMasterConfig({ name, bytes }: NamedFile): Result<MasterConfig> {
  const text = decodeUtf8(bytes);
  const config = text === undefined ? undefined : parseJson(text);
  const fault =
    text === undefined ? 'is not UTF-8 text' : (faultOfText(text, config) ?? faultOfConfig(config));
  if (text === undefined || fault !== undefined) {
    return failure(problem('enrich/input', `the input ${fault ?? ''}`, { at: { file: name }, hint }));
  }
  const master = {
    bytes,
    filePaths: textsIn(config, ['storage', 'files'], 'path'),
    otherPaths: ['directories', 'links'].flatMap((kind) => textsIn(config, ['storage', kind], 'path')),
    unitNames: textsIn(config, ['systemd', 'units'], 'name'),
  };
  return resultOf(master, specProblems(config, { name, text }));
}

/** Further faults are only counted. */
const maxFaults = 20;

/** Reports fields that Ignition rejects or ignores. Fields without effect are left to the machine config operator, which writes them. */
function specProblems(
  config: unknown,
  { name, text }: { readonly name: string; readonly text: string },
): readonly Problem[] {
  const minor = Number(textAt(config, ['ignition', 'version'])?.split('.')[1]);
  const faults = validateIgnition(config, minor).filter(({ kind }) => kind !== 'idle');
  const left = faults.slice(maxFaults);
  const placeOf = jsonPlaces(text);
  const code = left.some(isRefused) ? 'enrich/input' : 'enrich/unknown-field';
  return [
    ...faults.slice(0, maxFaults).map((fault) =>
      problem(isRefused(fault) ? 'enrich/input' : 'enrich/unknown-field', fault.message, {
        at: { file: name, path: pathText(fault.path), ...placeOf(fault.path, fault.target) },
        hint: fault.hint,
      }),
    ),
    ...(left.length > 0
      ? [problem(code, `the input has ${left.length} more faults`, { at: { file: name } })]
      : []),
  ];
}

function isRefused({ kind }: Fault): boolean {
  return kind === 'refused';
}

const hint =
  'fetch it from the machine-config server with the header "Accept: application/vnd.coreos.ignition+json;version=3.2.0"';

function faultOfText(text: string, value: unknown): string | undefined {
  if (text.trim() === '') return 'is empty';
  if (/^\s*</.test(text)) return 'is a page of HTML or XML, not an Ignition config';
  if (value === undefined) return whyNotJson(text);
  return undefined;
}

function faultOfConfig(config: unknown): string | undefined {
  const version = textAt(config, ['ignition', 'version']);
  if (version === undefined) return withoutVersion(config);
  // 3.2.0 is the newest spec that every release supports, and the node requests it. A 3.x config can only merge configs of 3.x that are not newer.
  if (!/^3\.[0-2]\.0$/.test(version)) {
    return `is an Ignition config of version ${quoted(version)}, expected 3.0.0 to 3.2.0`;
  }
  const sources = ['merge', 'replace'].map((way) => fieldAt(config, ['ignition', 'config', way]));
  if (sources.some(namesSource))
    return 'takes a part of itself from another config, which cannot be looked into';
  return faultOfContents(config);
}

/** Recognizes error responses of the Kubernetes API and of other servers. */
function withoutVersion(config: unknown): string {
  const isStatus = fieldAt(config, ['kind']) === 'Status';
  const isError = isRecord(config) && ['error', 'errors', 'message'].some((name) => name in config);
  return isStatus || isError ? 'is the error that a server answered' : 'is not an Ignition config';
}

function namesSource(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : textAt(value, ['source']) !== undefined;
}

function faultOfContents(config: unknown): string | undefined {
  const isWhole = [
    ['storage', 'files'],
    ['systemd', 'units'],
  ].every((path) => !isEmptyList(fieldAt(config, path) ?? []));
  return isWhole
    ? undefined
    : 'contains no files or no units; the machine-config operator may not have finished';
}

function isEmptyList(value: unknown): boolean {
  return isList(value) && value.length === 0;
}

function textsIn(config: unknown, path: readonly string[], key: string): readonly string[] {
  return listAt(config, path).flatMap((entry) => textAt(entry, [key]) ?? []);
}
