import type { OutputFile } from '../../core/output-file.js';
import { sha256 } from '../../formats/sha256.js';
import { readBelow } from '../regular-file.js';

/** What the name of an encrypted output ends in. */
const ending = '.age';

/** What outputs are of which runs, encrypted or not. */
type Named = Pick<OutputFile, 'path' | 'mode'>;

/** Whether an output is encrypted on request: Ignition configs and what gives access; none of what is there to be edited or read. */
function isSealable({ path, mode }: Named): boolean {
  return mode === 0o600 && (path.endsWith('.ign') || path.startsWith('auth/'));
}

/** Whether this is the name of an output that is encrypted, in whichever folder it lies. */
export function isSealedName(path: string): boolean {
  return /(?:\.ign|(?:^|[/\\])auth[/\\][^/\\]+)\.age$/.test(path);
}

/** The name of an output without what says that it is encrypted. */
export function plainName(path: string): string {
  return isSealedName(path) ? path.slice(0, -ending.length) : path;
}

/** The name under which an output lies when it is encrypted. */
export function sealedName(path: string): string {
  return `${path}${ending}`;
}

/** What earlier runs wrote. */
export interface EarlierOutputs {
  /** SHA-256 (hex) of what lies on the disk, by path. */
  readonly written: Readonly<Record<string, string>>;
  /** SHA-256 (hex) of the plain text of what is encrypted as it is to be now, by path; empty for what is not. */
  readonly sealed: Readonly<Record<string, string>>;
}

/** Outputs in the form in which they come to lie in a directory. */
export interface SealedOutputs {
  readonly files: readonly OutputFile[];
  /** As that of `EarlierOutputs`, of these. */
  readonly sealed: Readonly<Record<string, string>>;
  /** The names of the same outputs in the other form. */
  readonly replaced: readonly string[];
  /** The plain text of what is encrypted, by its plain name. */
  readonly plain: ReadonlyMap<string, OutputFile['contents']>;
}

/**
 * Encrypts those outputs that are to be; where `encrypt` is missing, none. What lies encrypted in the directory and says the same stays
 * as it is: other bytes would say it too, each time.
 */
export async function sealOutputs(
  files: readonly OutputFile[],
  by: {
    readonly dir: string;
    readonly encrypt?: (contents: OutputFile['contents']) => Promise<string>;
    readonly earlier: EarlierOutputs;
  },
): Promise<SealedOutputs> {
  const { dir, encrypt, earlier } = by;
  const sealable = files.filter(isSealable);
  if (!encrypt)
    return { files, sealed: {}, replaced: sealable.map(({ path }) => sealedName(path)), plain: new Map() };
  const inForm = files.map(async (file): Promise<OutputFile> => {
    if (!isSealable(file)) return file;
    const path = sealedName(file.path);
    const kept = keptBytes(dir, path, { file, earlier });
    return { path, mode: file.mode, contents: kept ?? (await encrypt(file.contents)) };
  });
  return {
    files: await Promise.all(inForm),
    sealed: Object.fromEntries(sealable.map(({ path, contents }) => [sealedName(path), sha256(contents)])),
    replaced: sealable.map(({ path }) => path),
    plain: new Map(sealable.map(({ path, contents }) => [path, contents])),
  };
}

/** What lies encrypted in the directory, if it says the same as the output. */
function keptBytes(
  dir: string,
  path: string,
  { file, earlier }: { readonly file: OutputFile; readonly earlier: EarlierOutputs },
): Uint8Array | undefined {
  if (earlier.sealed[path] !== sha256(file.contents)) return undefined;
  const read = readBelow(dir, path);
  return read.kind === 'file' && sha256(read.bytes) === earlier.written[path] ? read.bytes : undefined;
}

/** Whether outputs lie in the form that is wanted; those that are to be encrypted anew do not. */
export function areInForm(
  outputs: readonly Named[],
  wanted: { readonly isSealed: boolean; readonly sealed: EarlierOutputs['sealed'] },
): boolean {
  const { isSealed, sealed } = wanted;
  return outputs.every((output) =>
    isSealedName(output.path)
      ? isSealed && (sealed[output.path] ?? '') !== ''
      : !isSealed || !isSealable(output),
  );
}
