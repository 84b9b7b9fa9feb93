import type { KernelArgumentOptions } from '../run/media/kernel-words.js';
import type { MinimalOptions } from '../run/media/minimal-fault.js';

/** Options every command takes. */
export interface GlobalOptions {
  readonly dir: string;
  /** A file, or `-` for stdin. */
  readonly state?: string;
  /** A command that prints the state. */
  readonly stateCommand?: string;
  /** Files that open an encrypted state. */
  readonly identity?: readonly string[];
  readonly passphraseFile?: string;
  readonly logLevel: 'error' | 'warn' | 'info' | 'debug';
  readonly output: 'text' | 'json';
}

/** What `create aio-ignition` is told on the command line, and `validate` for it. */
export interface AioOptions {
  /** A URL or a folder. */
  readonly offlineFiles?: string;
}

/** What `create install-config` is told on the command line. */
export interface InstallConfigOptions {
  readonly name?: string;
  readonly baseDomain?: string;
  readonly installationDisk?: string;
  readonly machineNetwork?: string;
  readonly sshKeyFile?: string;
  readonly pullSecretFile?: string;
}

/** What `create sno-config` is told on the command line. */
export interface SnoConfigOptions {
  readonly hostname?: string;
  readonly nodeIp?: string;
  readonly releaseImage?: string;
  readonly ntpSource: readonly string[];
  readonly localDns?: true;
  readonly recipient: readonly string[];
}

/** What `images` is told on the command line. */
export interface ImagesOptions {
  readonly target: string;
  readonly format: 'text' | 'imageset';
}

/** What `preflight` is told on the command line. */
export interface PreflightOptions {
  readonly target: string;
  readonly dnsServer: readonly string[];
  /** A duration such as `15s`. */
  readonly timeout: string;
}

/** What `enrich` is told on the command line. */
export interface EnrichOptions {
  readonly assetDir: string;
  readonly input: string;
  readonly output: string;
}

/** What `wait-for` can wait for. */
export type Waited = 'bootstrap-complete' | 'install-complete' | 'node-ready';

/** What `wait-for` is told on the command line. */
export interface WaitForOptions {
  /** A duration such as `90m`. */
  readonly timeout: string;
  readonly kubeconfig?: string;
  readonly trustKubeconfig?: true;
}

/** What `gather` is told on the command line. */
export interface GatherOptions {
  /** The node; one of the two. */
  readonly bootstrap?: string;
  readonly host?: string;
  readonly key: readonly string[];
  /** A duration such as `20m`. */
  readonly timeout: string;
}

/** What `create single-node-iso` is told on the command line. */
export interface IsoOptions extends KernelArgumentOptions, MinimalOptions, SignOptions {
  /** The live ISO as it was downloaded. */
  readonly iso: string;
  /** A file that is not there yet, or `-` for stdout. */
  readonly out?: string;
  readonly force?: true;
}

/** What `create single-node-pxe` is told on the command line. */
export interface PxeOptions extends KernelArgumentOptions, SignOptions {
  /** URLs, of which those that are not given lie beside the first. */
  readonly rootfs: string;
  readonly kernel?: string;
  readonly initrd?: string;
  readonly overlay?: string;
  /** A folder. */
  readonly out?: string;
}

/** Options of `render ignition`. */
export interface RenderIgnitionOptions {
  /** The folder of the tree. */
  readonly out: string;
}

/** How `create` signs the receipt. */
export interface SignOptions {
  /** A private key of SSH. */
  readonly signKey?: string;
}

/** Options of `verify`. */
export interface VerifyOptions {
  /** A file in the form of ssh-keygen. */
  readonly allowedSigners?: string;
  readonly signer?: string;
  /** The live ISO that media were made of. */
  readonly iso?: string;
}

/** Options of `why`. */
export interface WhyOptions {
  readonly target: string;
}

export interface InspectOptions {
  /** List every part instead of the summary. */
  readonly all?: true;
}

/** Options of `certs`. */
export interface CertsOptions {
  /** A duration such as `14d`. */
  readonly warnBefore?: string;
}

/** Options of `diff`. */
export interface DiffOptions {
  readonly output: 'text' | 'json' | 'markdown';
  /** A Git revision. */
  readonly against?: string;
  /** What is made of a directory of inputs. */
  readonly target: string;
}

/** Options of `golden`. */
export interface GoldenOptions {
  /** The folder of the tree. */
  readonly out: string;
  readonly check?: true;
  readonly target: string;
}

/** Options of `render control-plane`. */
export interface RenderOptions {
  /** The machine of a target that makes a tree. */
  readonly for: string;
}

/** What `validate` is told on the command line. */
export interface ValidateOptions {
  readonly target: string;
  /** Another form for the problems than text or `--output json`. */
  readonly format?: 'github' | 'sarif' | 'junit';
  /** Whether --dir was given. */
  readonly isDirGiven: boolean;
}

/** When `create` issues certificates anew. */
export interface RenewOptions extends SignOptions {
  readonly renew?: true;
  /** A duration such as `10d`. */
  readonly renewBefore?: string;
}

/** To whom a command encrypts the state file that it writes. */
export interface RecipientOptions {
  readonly recipient?: readonly string[];
  readonly recipientsFile?: readonly string[];
  /** Whether a passphrase is typed, that it is encrypted by. */
  readonly passphrase?: boolean;
  /** Of commands that write Ignition configs: whether those are encrypted too. */
  readonly encryptOutputs?: boolean;
}

/** Options of `state decrypt`. */
export interface DecryptOptions {
  /** A file, or `-` for stdout. */
  readonly out?: string;
}

/** Options of `state rotate`. */
export interface RotateOptions extends RecipientOptions {
  readonly newPassphraseFile?: string;
}
