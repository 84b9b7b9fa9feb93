import { readConfigFile } from '../config/reading/config-file.js';
import { failure, success, type Result } from '../core/result.js';
import { decodeUtf8 } from '../formats/utf8.js';
import { nodeAt, type YamlNode } from '../formats/yaml/yaml-tree.js';
import type { InputRead, Inputs } from '../graph/context.js';
import { mergePatch } from '../formats/yaml/merge-patch.js';
import type { Origin, Traced } from '../formats/yaml/traced.js';
import { configFile } from './configs-of-site.js';
import { isPerLine, originOfOption, type ImportedFile, type ImportOverrides } from './imported-site.js';
import { filesOfState, installStateName } from './install-state.js';
import { tracedMap, tracedNode, tracedText } from './tracing.js';

/** A config file of another installer, from its folder or from the state file of openshift-install. */
export interface SourceText {
  /** File name for problems. */
  readonly file: string;
  readonly text: string;
  /** Always a map. */
  readonly root: YamlNode;
  /** False if the text comes from the state file: its line numbers match no file that a user can open. */
  readonly hasLines: boolean;
}

/**
 * Reads a config file from the folder, or from the state of openshift-install if the folder does not contain it. Undefined if neither does.
 * Problems: those of `readConfigFile`.
 */
export function sourceTextOf(inputs: Inputs, name: string): Result<SourceText> | undefined {
  const read = inputs.read(name);
  if (read.kind !== 'absent') return sourceText(read, name, { file: name, hasLines: true });
  const kept = filesOfState(inputs).get(name);
  if (kept === undefined) return undefined;
  const bytes = Buffer.from(kept);
  return sourceText({ kind: 'file', bytes }, name, { file: installStateName, hasLines: false });
}

function sourceText(
  read: InputRead,
  name: string,
  { file, hasLines }: Pick<SourceText, 'file' | 'hasLines'>,
): Result<SourceText> | undefined {
  const found = readConfigFile({ read: (path) => (path === name ? read : { kind: 'absent' }) }, name);
  if (found.kind === 'absent') return undefined;
  if (found.kind === 'document' && found.problems.length === 0 && read.kind === 'file')
    return success({ file, text: decodeUtf8(read.bytes) ?? '', root: found.root, hasLines });
  // Line numbers inside the state file mean nothing to the user.
  return failure(...found.problems.map((each) => (hasLines ? each : { ...each, at: { file } })));
}

/**
 * Copies install-config.yaml with its comments and appends the installation disk if needed. The file is serialized again, without comments,
 * if the command line replaces its disk or nothing can be appended to its text.
 */
export function copiedInstallConfig(
  source: SourceText,
  hinted: Traced | undefined,
  { installationDisk }: ImportOverrides,
): ImportedFile {
  const { file, text, root } = source;
  const wished =
    installationDisk === undefined
      ? undefined
      : tracedText(installationDisk, originOfOption('--installation-disk'));
  const hasDisk = nodeAt(root, ['bootstrapInPlace']) !== undefined;
  const disk = wished ?? (hasDisk ? undefined : hinted);
  const origins = originsOf(source);
  if (disk === undefined) return { path: 'install-config.yaml', text, origins };
  const added = tracedMap(
    { bootstrapInPlace: tracedMap({ installationDisk: disk }, disk.origin) },
    disk.origin,
  );
  if (hasDisk || root.span.col !== 1 || /^\s*\{/.test(text) || /^(?:\.\.\.|---)/m.test(text)) {
    const merged = mergePatch(tracedNode(root, file, []), added);
    return merged.kind === 'map'
      ? configFile('install-config.yaml', merged)
      : { path: 'install-config.yaml', text, origins };
  }
  const { text: end } = configFile('', added);
  const whole = text.endsWith('\n') || text === '' ? text : `${text}\n`;
  const lines = whole.split('\n').length - 1;
  const before = isPerLine(origins) ? origins.slice(0, lines) : Array<Origin>(lines).fill(origins);
  return {
    path: 'install-config.yaml',
    text: `${whole}${end}`,
    origins: [...before, disk.origin, disk.origin],
  };
}

/** One origin per line without a column, so that a problem keeps its own column; the file alone for text from the state file. */
function originsOf(source: SourceText): readonly Origin[] | Origin {
  if (!source.hasLines) return originOf(source);
  return source.text.split('\n').map((_, index) => ({ at: { file: source.file, line: index + 1 } }));
}

function originOf({ file }: SourceText): Origin {
  return { at: { file } };
}
