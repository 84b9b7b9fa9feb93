import type { PrivateKey } from '../formats/keys/private-key.js';

/** All external input of assets. Equal contexts give byte-identical outputs. */
export interface Context {
  /** The clock of the state: the time at which certificates are issued. Whole seconds. */
  readonly now: Date;
  readonly valueSource: ValueSource;
  readonly inputs: Inputs;
  readonly environment: Environment;
  readonly templates: Templates;
  /** True in a dry run: generated values missing from the state are placeholders; outputs are checked for size and discarded. */
  readonly isDryRun?: boolean;
  /** The cluster of the stored generated values; absent if there are none or the state is too old to record it. */
  readonly drawnFor?: ClusterName;
}

/** Identity of a cluster: fields of install-config.yaml. */
export interface ClusterName {
  readonly name: string;
  readonly baseDomain: string;
}

/** Size of the modulus. */
export type RsaBits = 2048 | 3072 | 4096;
/** NIST name of the curve. */
export type EcCurve = 'P-256' | 'P-384';

/**
 * Generated values by label: generated on the first run, stored in the state file and returned unchanged afterwards.
 * A label names the purpose, such as `tls/kubelet-signer`; the same label always returns the same value.
 */
export interface ValueSource {
  rsaKey(label: string, bits: RsaBits): Promise<PrivateKey>;
  ecKey(label: string, curve: EcCurve): Promise<PrivateKey>;
  /** The bcrypt hash of a password, starting with `$2a$`; the salt is generated. */
  bcryptHash(label: string, password: string): Promise<string>;
  /**
   * Runs `draw` once for this label and stores its result, which must match `form`. For randomized results such as ECDSA
   * signatures.
   */
  once(label: string, form: RegExp, draw: () => string | Promise<string>): Promise<string>;
  /** UUID version 4. */
  uuid(label: string): string;
  /** `length` characters, each chosen uniformly from `alphabet`. */
  text(label: string, length: number, alphabet: string): string;
}

/** Result of reading a path in the user's directory. */
export type InputRead =
  | { readonly kind: 'file'; readonly bytes: Uint8Array }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** A config field that refers to a value stored elsewhere. */
export interface Reference {
  /** Name of the field in messages. */
  readonly field: string;
  readonly place:
    | { readonly kind: 'file'; readonly path: string }
    | { readonly kind: 'variable'; readonly name: string }
    | { readonly kind: 'stdin' };
}

/** Result of hashing a path. */
export type InputDigest =
  { readonly kind: 'file'; readonly sha256: string } | Exclude<InputRead, { readonly kind: 'file' }>;

/** Read access to the user's files; paths are absolute or relative to `--dir`. Each path is read once per run. */
export interface Inputs {
  read(path: string): InputRead;
  /** Reads the value that a config field refers to; for stdin and environment variables `absent` means that they are empty or unset. */
  readReference(reference: Reference): InputRead;
  /** SHA-256 (hex) of a file, which may exceed the size limit of `read`. */
  digest(path: string): InputDigest;
  /** Sorted names (not paths) in a folder; folders end with `/`. Undefined if the folder does not exist. */
  list(folder: string): readonly string[] | undefined;
  /** SHA-256 (hex) of the file that an earlier run wrote to this path, if any. */
  written(path: string): string | undefined;
  /** All paths that an earlier run wrote, sorted. */
  writtenPaths(): readonly string[];
}

/** Environment variables and options that affect outputs, read once at startup and recorded in the state. */
export interface Environment {
  /** OPENSHIFT_INSTALL_RELEASE_IMAGE_OVERRIDE */
  readonly releaseImageOverride?: string;
  /** OPENSHIFT_INSTALL_INVOKER */
  readonly invoker?: string;
  /** OPENSHIFT_INSTALL_EXPERIMENTAL_BOOTSTRAP_IN_PLACE_COREOS_INSTALLER_ARGS */
  readonly coreosInstallerArguments?: string;
  /** `--offline-files`: an unchanged URL, or the absolute path of a folder. */
  readonly offlineFiles?: string;
  /** `--dest-karg` and `--console`; appended to those of sno-config.yaml. */
  readonly kernelArguments?: readonly string[];
  /** For commands that read another payload than the site's, or create it: the site is not compared with its payload. */
  readonly payloadUse?: PayloadUse;
  /** Whether the control plane is rendered for review only, also if the operators of the release render it on the node. Not recorded. */
  readonly showsControlPlane?: boolean;
}

/** `create payload` does not need the payload that it creates; `images --payload` lists the images that a payload does not contain. */
export type PayloadUse = 'create' | 'list';

/** The static files of `templates/`. */
export interface Templates {
  /** Cached: a run of many sites reads each file once. */
  text(path: string): string;
  read(path: string): Uint8Array;
  /** All paths below a folder of `templates/`, relative to that folder, sorted. */
  list(folder: string): readonly string[];
}
