import type { WrittenConfig } from './written-schema.js';

/** A config of spec 3.2.0, limited to the fields that this program writes. */
export type IgnitionConfig = WrittenConfig;

type Storage = NonNullable<IgnitionConfig['storage']>;

/** Proxy for Ignition's own downloads. */
export type IgnitionProxy = NonNullable<IgnitionConfig['ignition']['proxy']>;

/** A user with SSH keys, each one OpenSSH public key; no passwords. */
export type IgnitionUser = ItemOf<NonNullable<IgnitionConfig['passwd']>['users']>;

/** A file owned by root, replaced (`contents`) or extended (`append`). The mode is a number: 0o600 is 384. */
export type IgnitionFile = ItemOf<Storage['files']>;

/** A folder owned by root; the mode is a number, as for files. */
export type IgnitionDirectory = ItemOf<Storage['directories']>;

/** Encrypted devices and file systems. */
export type IgnitionStorage = Pick<Storage, 'luks' | 'filesystems'>;

/** A systemd unit; units and drop-ins are named by file name. */
export type IgnitionUnit = ItemOf<NonNullable<IgnitionConfig['systemd']>['units']>;

type ItemOf<List> = List extends readonly (infer Item)[] ? Item : never;

/** A unit before serialization; false means the same as absent. */
export type NodeUnit = Omit<IgnitionUnit, 'enabled' | 'mask'> & {
  readonly enabled?: boolean | undefined;
  readonly mask?: boolean | undefined;
};

/** A file before serialization: the form in which all modules supply node files. */
export interface NodeFile {
  /** Absolute. */
  readonly path: string;
  readonly mode: number;
  readonly contents: string | Uint8Array;
  /** Appends to a file of the operating system instead of replacing it. */
  readonly append?: boolean;
}

/** A file that the machine downloads at first boot and verifies by its hash. */
export interface RemoteFile {
  /** Absolute. */
  readonly path: string;
  readonly mode: number;
  readonly url: string;
  /** `sha256-<hex>` or `sha512-<hex>` of the decompressed contents. */
  readonly hash: string;
  readonly compression?: 'gzip';
}
