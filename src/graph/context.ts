import type { PrivateKey } from '../formats/keys/private-key.js';

/** Everything impure an asset may ask for. The same context gives the same outputs, to the byte. */
export interface Context {
  /** The clock of this state: when certificates are issued. Whole seconds. */
  readonly now: Date;
  readonly draws: Draws;
  readonly inputs: Inputs;
  readonly environment: Environment;
  readonly templates: Templates;
  /** Whether draws that were not kept are stand-ins: outputs are judged by their size and then thrown away. */
  readonly isRehearsal?: boolean;
  /** The cluster that earlier draws were made for; absent when there are none, or of an old state. */
  readonly drawnFor?: ClusterName;
}

/** What tells one cluster from another: fields of install-config.yaml. */
export interface ClusterName {
  readonly name: string;
  readonly baseDomain: string;
}

/** Size of the modulus. */
export type RsaBits = 2048 | 3072 | 4096;
/** A curve by the name that NIST gives it. */
export type EcCurve = 'P-256' | 'P-384';

/**
 * Chance, asked for by label: drawn at the first run, kept in the state file, the same ever after.
 * A label names what the draw is for, such as `tls/kubelet-signer`; one label asked for twice gives one value.
 */
export interface Draws {
  rsaKey(label: string, bits: RsaBits): Promise<PrivateKey>;
  ecKey(label: string, curve: EcCurve): Promise<PrivateKey>;
  /** The bcrypt hash of a password, `$2a$` and so on; salts are chance. */
  bcryptHash(label: string, password: string): Promise<string>;
  /**
   * Runs `draw` once for this label and keeps what it gives, which has the form `form`. For results that involve chance of
   * their own, such as ECDSA signatures.
   */
  once(label: string, form: RegExp, draw: () => string | Promise<string>): Promise<string>;
  /** UUID version 4. */
  uuid(label: string): string;
  /** `length` characters drawn evenly from `alphabet`. */
  text(label: string, length: number, alphabet: string): string;
}

/** What stands at a path of the user's directory. */
export type InputRead =
  | { readonly kind: 'file'; readonly bytes: Uint8Array }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** Where a config says that a value stands. */
export interface Reference {
  /** The field that says it, as it is called in messages. */
  readonly field: string;
  readonly place:
    | { readonly kind: 'file'; readonly path: string }
    | { readonly kind: 'variable'; readonly name: string }
    | { readonly kind: 'stdin' };
}

/** What stands at a path, by its hash. */
export type InputDigest =
  { readonly kind: 'file'; readonly sha256: string } | Exclude<InputRead, { readonly kind: 'file' }>;

/** Read access to the user's files; paths are relative to `--dir` or absolute. Each path is read once a run. */
export interface Inputs {
  read(path: string): InputRead;
  /** What a field of a config names in the place of a value; of stdin and variables `absent` means that there is none. */
  readReference(reference: Reference): InputRead;
  /** SHA-256 (hex) of a file, which may be larger than what `read` takes. */
  digest(path: string): InputDigest;
  /** Names (not paths) in a folder, sorted, folders marked by a trailing `/`; undefined when there is no such folder. */
  list(folder: string): readonly string[] | undefined;
  /** SHA-256 (hex) of what an earlier run wrote at this path, if it did. */
  written(path: string): string | undefined;
  /** Every path an earlier run wrote, sorted. */
  writtenPaths(): readonly string[];
}

/** Environment variables and options that are inputs, read once at the edge and recorded in the state. */
export interface Environment {
  /** OPENSHIFT_INSTALL_RELEASE_IMAGE_OVERRIDE */
  readonly releaseImageOverride?: string;
  /** OPENSHIFT_INSTALL_INVOKER */
  readonly invoker?: string;
  /** `--offline-files`: a URL as it was given, or the absolute path of a folder. */
  readonly offlineFiles?: string;
  /** `--dest-karg` and `--console`: behind those of sno-config.yaml. */
  readonly kernelArguments?: readonly string[];
}

/** The constant files of `templates/`. */
export interface Templates {
  /** The same string each time: a run of many sites reads it once. */
  text(path: string): string;
  read(path: string): Uint8Array;
  /** Every path below a folder of `templates/`, relative to that folder, sorted. */
  list(folder: string): readonly string[];
}
