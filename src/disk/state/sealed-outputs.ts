import type { OutputFile } from '../../core/output-file.js';
import { sha256 } from '../../formats/sha256.js';
import { readBelow } from '../regular-file.js';

/** Suffix of encrypted outputs. */
const sealedSuffix = '.age';

type Named = Pick<OutputFile, 'path' | 'mode'>;

/** Whether an output can be encrypted: Ignition configs and credentials, but not files that users edit or read. */
function isSealable({ path, mode }: Named): boolean {
  return mode === 0o600 && (path.endsWith('.ign') || path.startsWith('auth/'));
}

/** Whether a path has the name of an encrypted output, in any folder. */
export function isSealedName(path: string): boolean {
  return /(?:\.ign|(?:^|[/\\])auth[/\\][^/\\]+)\.age$/.test(path);
}

/** Removes the suffix of an encrypted output. */
export function plainName(path: string): string {
  return isSealedName(path) ? path.slice(0, -sealedSuffix.length) : path;
}

/** Adds the suffix of an encrypted output. */
export function sealedName(path: string): string {
  return `${path}${sealedSuffix}`;
}

/** Outputs of earlier runs. */
export interface EarlierOutputs {
  /** SHA-256 (hex) of the files on disk, by path. */
  readonly written: Readonly<Record<string, string>>;
  /** SHA-256 (hex) of the plain text of encrypted outputs, by path. Empty for outputs that must be encrypted again. */
  readonly sealed: Readonly<Record<string, string>>;
}

/** Outputs in the form to be written, encrypted or plain. */
export interface SealedOutputs {
  readonly files: readonly OutputFile[];
  /** SHA-256 (hex) of the plain text of the encrypted outputs, by path. */
  readonly sealed: Readonly<Record<string, string>>;
  /** Names of the same outputs in the other form. */
  readonly replaced: readonly string[];
  /** Plain text of the encrypted outputs, by plain name. */
  readonly plain: ReadonlyMap<string, OutputFile['contents']>;
}

/**
 * Encrypts outputs with `encrypt`, or none without it. Keeps an encrypted file on disk whose plain text is the same, because
 * encrypting again would produce different bytes each time.
 */
export async function sealOutputs(
  files: readonly OutputFile[],
  by: {
    readonly dir: string;
    readonly encrypt?: (contents: OutputFile['contents']) => Promise<string>;
    readonly decrypt?: Decrypt;
    readonly earlier: EarlierOutputs;
  },
): Promise<SealedOutputs> {
  const { encrypt } = by;
  const sealable = files.filter(isSealable);
  if (!encrypt)
    return { files, sealed: {}, replaced: sealable.map(({ path }) => sealedName(path)), plain: new Map() };
  const inForm = files.map(async (file): Promise<OutputFile> => {
    if (!isSealable(file)) return file;
    const path = sealedName(file.path);
    const kept = await keptBytes(file, path, by);
    return { path, mode: file.mode, contents: kept ?? (await encrypt(file.contents)) };
  });
  return {
    files: await Promise.all(inForm),
    sealed: Object.fromEntries(sealable.map(({ path, contents }) => [sealedName(path), sha256(contents)])),
    replaced: sealable.map(({ path }) => path),
    plain: new Map(sealable.map(({ path, contents }) => [path, contents])),
  };
}

/** Decrypts a file, given its path for messages; undefined if that fails. */
export type Decrypt = (path: string, bytes: Uint8Array) => Promise<Uint8Array | undefined>;

/** The encrypted file on disk, if it is ours and its plain text equals the output. Without a hash of the plain text, it is decrypted. */
async function keptBytes(
  { contents }: OutputFile,
  path: string,
  {
    dir,
    decrypt,
    earlier,
  }: { readonly dir: string; readonly decrypt?: Decrypt; readonly earlier: EarlierOutputs },
): Promise<Uint8Array | undefined> {
  const known = earlier.sealed[path];
  const wanted = sha256(contents);
  if (known === undefined ? decrypt === undefined : known !== wanted) return undefined;
  const read = readBelow(dir, path);
  if (read.kind !== 'file' || sha256(read.bytes) !== earlier.written[path]) return undefined;
  if (known !== undefined) return read.bytes;
  const plain = await decrypt?.(path, read.bytes);
  return plain !== undefined && sha256(plain) === wanted ? read.bytes : undefined;
}

/** Whether outputs are in the wanted form. False for outputs that must be encrypted again. */
export function haveWantedForm(
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
