import type { KernelArgumentOptions } from '../run/media/kernel-words.js';
import type { MinimalOptions } from '../run/media/minimal-fault.js';

/** Options of every command. */
export interface GlobalOptions {
  readonly dir: string;
  /** A file, or `-` for stdin. */
  readonly state?: string;
  /** A command that prints the state. */
  readonly stateCommand?: string;
  /** age identity files for an encrypted state. */
  readonly identity?: readonly string[];
  readonly passphraseFile?: string;
  readonly logLevel: 'error' | 'warn' | 'info' | 'debug';
  readonly output: 'text' | 'json';
}

/** Options of commands that generate or check an all-in-one config. */
export interface AioOptions {
  /** A URL or a folder. */
  readonly offlineFiles?: string;
}

export interface InstallConfigOptions {
  readonly name?: string;
  readonly baseDomain?: string;
  readonly installationDisk?: string;
  readonly machineNetwork?: string;
  readonly sshKeyFile?: string;
  readonly pullSecretFile?: string;
}

export interface SnoConfigOptions {
  readonly hostname?: string;
  readonly nodeIp?: string;
  readonly releaseImage?: string;
  readonly ntpSource: readonly string[];
  readonly localDns?: true;
  readonly recipient: readonly string[];
}

export interface ImagesOptions {
  readonly target: string;
  readonly format: 'text' | 'imageset';
}

export interface PreflightOptions {
  readonly target: string;
  readonly dnsServer: readonly string[];
  /** A duration such as `15s`. */
  readonly timeout: string;
}

export interface EnrichOptions {
  readonly assetDir: string;
  readonly input: string;
  readonly output: string;
}

/** The conditions of `wait-for`. */
export type Waited = 'bootstrap-complete' | 'install-complete' | 'node-ready';

export interface WaitForOptions {
  /** A duration such as `90m`. */
  readonly timeout: string;
  readonly kubeconfig?: string;
  readonly trustKubeconfig?: true;
}

export interface GatherOptions {
  /** The node. Exactly one of the two is set. */
  readonly bootstrap?: string;
  readonly host?: string;
  readonly key: readonly string[];
  /** A duration such as `20m`. */
  readonly timeout: string;
}

export interface IsoOptions extends KernelArgumentOptions, MinimalOptions, SignOptions {
  /** The downloaded live ISO. */
  readonly iso: string;
  /** A new file, or `-` for stdout. */
  readonly out?: string;
  readonly force?: true;
}

export interface PxeOptions extends KernelArgumentOptions, SignOptions {
  /** URLs. The defaults of the others are in the folder of `rootfs`. */
  readonly rootfs: string;
  readonly kernel?: string;
  readonly initrd?: string;
  readonly overlay?: string;
  /** A folder. */
  readonly out?: string;
}

export interface RenderIgnitionOptions {
  /** The folder of the tree. */
  readonly out: string;
}

export interface SignOptions {
  /** An SSH private key. */
  readonly signKey?: string;
}

export interface VerifyOptions {
  /** A file in the format of ssh-keygen. */
  readonly allowedSigners?: string;
  readonly signer?: string;
  /** The live ISO from which the media were created. */
  readonly iso?: string;
}

export interface WhyOptions {
  readonly target: string;
}

export interface InspectOptions {
  readonly all?: true;
}

/** A duration such as `14d`. */
export interface CertsOptions {
  readonly warnBefore?: string;
}

/** A Git revision. */
export interface DiffOptions {
  readonly output: 'text' | 'json' | 'markdown';
  /** The target to generate from a directory of inputs. */
  readonly against?: string;
  readonly target: string;
}

/** The folder of the tree. */
export interface GoldenOptions {
  readonly out: string;
  readonly check?: true;
  readonly target: string;
}

/** The `machine` of a control plane target. */
export interface RenderOptions {
  readonly for: string;
}

/** Problem format; overrides `--output`. */
export interface ValidateOptions {
  readonly target: string;
  /** Whether the user set --dir. */
  readonly format?: 'github' | 'sarif' | 'junit';
  /** Options for the renewal of certificates. */
  readonly isDirGiven: boolean;
}

/** A duration such as `10d`. */
export interface RenewOptions extends SignOptions {
  readonly renew?: true;
  /** Encryption options of commands that write the state file. */
  readonly renewBefore?: string;
}

/** Whether to prompt for a passphrase to encrypt with. */
export interface RecipientOptions {
  readonly recipient?: readonly string[];
  readonly recipientsFile?: readonly string[];
  /** Whether Ignition configs are encrypted too. */
  readonly passphrase?: boolean;
  readonly encryptOutputs?: boolean;
}

/** A file, or `-` for stdout. */
export interface DecryptOptions {
  readonly out?: string;
}

/** Options of `state rotate`. */
export interface RotateOptions extends RecipientOptions {
  readonly newPassphraseFile?: string;
}
