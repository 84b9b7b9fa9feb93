import type { WrittenConfig } from './written-schema.js';

/** A config of spec 3.2.0 with the parts that we write. */
export type IgnitionConfig = WrittenConfig;

type Storage = NonNullable<IgnitionConfig['storage']>;

/** How Ignition itself reaches what it fetches. */
export type IgnitionProxy = NonNullable<IgnitionConfig['ignition']['proxy']>;

/** Who may log in, with keys alone: one OpenSSH public key each. */
export type IgnitionUser = ItemOf<NonNullable<IgnitionConfig['passwd']>['users']>;

/** A file of root, written over (`contents`) or added to (`append`). The mode is a number: 0o600 is 384. */
export type IgnitionFile = ItemOf<Storage['files']>;

/** A folder of root; the mode is a number, as of a file. */
export type IgnitionDirectory = ItemOf<Storage['directories']>;

/** A unit of systemd by its file name; drop-ins are named likewise. */
export type IgnitionUnit = ItemOf<NonNullable<IgnitionConfig['systemd']>['units']>;

type ItemOf<List> = List extends readonly (infer Item)[] ? Item : never;

/** A unit before it is put into a config, where false says the same as nothing. */
export type NodeUnit = Omit<IgnitionUnit, 'enabled' | 'mask'> & {
  readonly enabled?: boolean | undefined;
  readonly mask?: boolean | undefined;
};

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
