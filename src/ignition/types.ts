/** The parts of Ignition spec 3.2.0 that we emit. Source: coreos.github.io/ignition/configuration-v3_2 */
export interface IgnitionConfig {
  readonly ignition: {
    readonly version: '3.2.0';
    readonly config?: { readonly merge?: readonly { readonly source: string }[] };
    readonly proxy?: IgnitionProxy;
    readonly security?: {
      readonly tls: { readonly certificateAuthorities: readonly { readonly source: string }[] };
    };
  };
  readonly passwd?: { readonly users: readonly IgnitionUser[] };
  readonly storage?: {
    readonly files?: readonly IgnitionFile[];
    readonly directories?: readonly IgnitionDirectory[];
  };
  readonly systemd?: { readonly units: readonly IgnitionUnit[] };
}

/** How Ignition itself reaches what it fetches. */
export interface IgnitionProxy {
  readonly httpProxy?: string;
  readonly httpsProxy?: string;
  readonly noProxy?: readonly string[];
}

/** Who may log in, with keys alone. */
export interface IgnitionUser {
  readonly name: string;
  /** One OpenSSH public key each. */
  readonly sshAuthorizedKeys: readonly string[];
}

/** A file of root, written over (`contents`) or added to (`append`). The mode is a number: 0o600 is 384. */
export interface IgnitionFile {
  readonly path: string;
  readonly mode: number;
  readonly user: { readonly name: 'root' };
  readonly overwrite?: boolean;
  readonly contents?: IgnitionResource;
  readonly append?: readonly IgnitionResource[];
}

/** Where contents come from: a data URL, or an https URL with the hash of what must come. */
export interface IgnitionResource {
  readonly source: string;
  readonly compression?: 'gzip';
  /** `<type>-<hex>` of the contents, unpacked where they are compressed. */
  readonly verification?: { readonly hash: string };
}

/** A folder of root; the mode is a number, as of a file. */
export interface IgnitionDirectory {
  readonly path: string;
  readonly mode: number;
  readonly user: { readonly name: 'root' };
  readonly overwrite?: boolean;
}

/** A unit of systemd by its file name; drop-ins are named likewise. */
export interface IgnitionUnit {
  readonly name: string;
  readonly enabled?: boolean;
  readonly mask?: boolean;
  readonly contents?: string;
  readonly dropins?: readonly { readonly name: string; readonly contents: string }[];
}

/** A file on the node before it is put into a config: what every part of the program hands to the serializer. */
export interface NodeFile {
  /** Absolute. */
  readonly path: string;
  readonly mode: number;
  readonly contents: string | Uint8Array;
  /** Adds to a file the operating system ships, instead of replacing it. */
  readonly append?: boolean;
}

/** A file that the machine fetches at its first boot, and refuses when it is not the one meant. */
export interface RemoteFile {
  /** Absolute. */
  readonly path: string;
  readonly mode: number;
  readonly url: string;
  /** `sha256-<hex>` or `sha512-<hex>` of the contents, unpacked where they are compressed. */
  readonly hash: string;
  readonly compression?: 'gzip';
}
