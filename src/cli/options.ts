import type { IgnitionTarget } from '../run/targets.js';
import type { KernelArgumentOptions } from '../run/media/parse-kernel-arguments.js';
import type { MinimalOptions } from '../run/media/minimal-fault.js';

/** Formats of results. Each command supports some of them, always `text`, `json` and `yaml`. */
export type OutputFormat =
  | 'text'
  | 'json'
  | 'yaml'
  | 'csv'
  | 'markdown'
  | 'github'
  | 'sarif'
  | 'junit'
  | 'imageset'
  | 'dot'
  | 'mermaid';

/** Options of every command. */
export interface GlobalOptions {
  /** Only commands that fetch secrets of fleets have this option. */
  readonly allowCommands?: true;
  readonly dir: string;
  /** A file, or `-` for stdin. */
  readonly state?: string;
  /** A command that prints the state. */
  readonly stateCommand?: string;
  /** age identity files for an encrypted state. */
  readonly identity?: readonly string[];
  readonly passphraseFile?: string;
  readonly logLevel: 'error' | 'warn' | 'info' | 'debug';
  readonly output: OutputFormat;
  /** The command never writes files. */
  readonly isReadOnly?: boolean;
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
  readonly machineNetwork?: readonly string[];
  readonly clusterNetwork?: readonly string[];
  readonly serviceNetwork?: readonly string[];
  readonly sshKeyFile?: string;
  readonly pullSecretFile?: string;
  readonly httpProxy?: string;
  readonly httpsProxy?: string;
  readonly noProxy?: string;
  readonly additionalTrustBundleFile?: string;
  readonly mirror?: readonly { readonly source: string; readonly mirror: string }[];
}

export interface SnoConfigOptions {
  readonly hostname?: string;
  readonly nodeIp?: string;
  readonly releaseImage?: string;
  readonly releaseVersion?: string;
  readonly ntpSource: readonly string[];
  readonly localDns?: true;
  /** In CIDR notation. */
  readonly address: readonly string[];
  readonly gateway: readonly string[];
  readonly dnsServer: readonly string[];
  readonly interface?: string;
  readonly bond?: { readonly name: string; readonly ports: readonly string[] };
  readonly bondMode?: string;
  readonly bondOption?: Readonly<Record<string, string>>;
  readonly vlan?: number;
  readonly diskSerial?: string;
  /** Kernel arguments of the installed node. */
  readonly destKarg: readonly string[];
  readonly recipient: readonly string[];
}

export interface ImagesOptions {
  readonly target: IgnitionTarget;
  /** Path of a payload. */
  readonly payload?: string;
}

export interface PreflightOptions {
  readonly target: IgnitionTarget;
  readonly dnsServer: readonly string[];
  /** A duration such as `15s`. */
  readonly timeout: string;
}

export interface EnrichOptions {
  readonly assetDir: string;
  readonly input: string;
  readonly out: string;
}

export interface WaitForOptions {
  /** A duration such as `90m`. */
  readonly timeout: string;
  readonly kubeconfig?: string;
  readonly trustKubeconfig?: true;
}

export interface ApplyOptions {
  /** `manifests`, a number, or `last`. */
  readonly wave?: string;
  readonly dryRun?: 'server';
  readonly diff?: true;
  /** Deletes objects of earlier runs that the manifests no longer contain. */
  readonly prune?: true;
  readonly forceConflicts?: true;
  /** A duration such as `90m`. */
  readonly timeout?: string;
  readonly kubeconfig?: string;
  readonly trustKubeconfig?: true;
}

export interface GatherOptions {
  /** The node. Exactly one of the two must be set. */
  readonly bootstrap?: string;
  readonly host?: string;
  readonly key: readonly string[];
  /** A duration such as `20m`. */
  readonly timeout: string;
}

export interface IsoOptions extends KernelArgumentOptions, MinimalOptions, SignOptions {
  /** The downloaded live ISO. */
  readonly iso: string;
  /** Whether the live ISO itself is changed. */
  readonly inPlace?: true;
  /** A new file, or `-` for stdout. */
  readonly out?: string;
  readonly overwrite?: true;
  readonly force?: true;
  /** The payload to append, if it is not where the config names it; false for an ISO without it. */
  readonly payload?: string | false;
}

export interface PxeOptions extends KernelArgumentOptions, SignOptions {
  /** URLs. The defaults of the others are in the folder of `rootfs`. */
  readonly rootfs: string;
  readonly kernel?: string;
  readonly initrd?: string;
  readonly overlay?: string;
  /** Whether an image of another release may be used. */
  readonly force?: true;
  /** A folder. */
  readonly out?: string;
  /** False if the machine has the payload of the site on another disk. */
  readonly payload?: false;
}

export interface RenderIgnitionOptions {
  /** The folder of the tree. */
  readonly out: string;
}

export interface RenderLibvirtOptions {
  /** The folder of the files. */
  readonly out: string;
  /** Folder of the host with the images of virtual machines. */
  readonly images: string;
  /** A bridge of the host. */
  readonly bridge?: string;
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
  /** Target to render a configuration directory for. */
  readonly target: string;
  /** List every part instead of the summary. */
  readonly all?: true;
}

export interface CertsOptions {
  /** A duration such as `14d`. */
  readonly warnBefore?: string;
}

export interface DiffOptions {
  /** Compare only the sheets. */
  readonly sheet?: true;
  /** A Git revision. */
  readonly against?: string;
  /** The target to generate from a directory of inputs. */
  readonly target: string;
}

export interface GoldenOptions {
  /** The folder of the tree. */
  readonly out: string;
  readonly check?: true;
  readonly target: string;
}

export interface RenderOptions {
  /** The `machine` of a control plane target. */
  readonly for: string;
}

export interface ValidateOptions {
  readonly target: string;
  /** Whether the user set --dir. */
  readonly isDirGiven: boolean;
}

/** Options for the renewal of certificates. */
export interface RenewOptions extends SignOptions {
  readonly renew?: true;
  /** A duration such as `10d`. */
  readonly renewBefore?: string;
}

/** Encryption options of commands that write the state file. */
export interface RecipientOptions {
  readonly recipient?: readonly string[];
  readonly recipientsFile?: readonly string[];
  /** Whether to prompt for a passphrase to encrypt with. */
  readonly passphrase?: boolean;
  /** Whether Ignition configs are encrypted too. */
  readonly encryptOutputs?: boolean;
}

export interface DecryptOptions {
  /** A file, or `-` for stdout. */
  readonly out?: string;
}

export interface RotateOptions extends RecipientOptions {
  readonly newPassphraseFile?: string;
}
