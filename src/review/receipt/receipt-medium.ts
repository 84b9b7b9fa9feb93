/** What only the receipt of a medium has. */
export interface ReceiptMedium {
  /** The Ignition config in it. */
  readonly config: MediumConfig;
  /** What it was made of; absent of a boot over the network. */
  readonly liveIso?: ReceiptLiveIso;
  /** What the machine loads from elsewhere, by what it is: `rootfs`, `kernel`, `initrd`, `overlay`. */
  readonly urls: Readonly<Record<string, string>>;
  /** What the kernel of the live system is told beside what its image says; values of those alone that are known to hold no secret, `…` for others. */
  readonly kernelArguments: readonly string[];
  /** The output of the configs that the key of keyed hashes is made of; absent where no input has one. */
  readonly keyHolder?: { readonly path: string; readonly sha256: string };
}

/** An Ignition config as it stands in a medium: what `coreos-installer iso ignition show` prints. */
export interface MediumConfig {
  /** Where it lay without encryption, below the folder of the receipt; absent where it lay elsewhere. */
  readonly path?: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** A live ISO as it was before anything was put into it. */
export interface ReceiptLiveIso {
  readonly name: string;
  /** Below the folder of the receipt; absent where it lay elsewhere, and of one that was changed in its place. */
  readonly path?: string;
  readonly bytes: number;
  readonly sha256: string;
  /** As its kernel says. */
  readonly architecture?: string;
  /** `MAJOR.MINOR`, where its volume says it. */
  readonly release?: string;
}

/** The one order of its members. */
export function mediumText(medium: ReceiptMedium): ReceiptMedium {
  const { config, liveIso, urls, kernelArguments, keyHolder } = medium;
  return {
    config: {
      ...(config.path !== undefined && { path: config.path }),
      bytes: config.bytes,
      sha256: config.sha256,
    },
    ...(liveIso && { liveIso: liveIsoText(liveIso) }),
    urls: Object.fromEntries(
      ['rootfs', 'kernel', 'initrd', 'overlay'].flatMap((name) =>
        urls[name] === undefined ? [] : [[name, urls[name]]],
      ),
    ),
    kernelArguments,
    ...(keyHolder && { keyHolder: { path: keyHolder.path, sha256: keyHolder.sha256 } }),
  };
}

function liveIsoText({ name, path, bytes, sha256, architecture, release }: ReceiptLiveIso): ReceiptLiveIso {
  return {
    name,
    ...(path !== undefined && { path }),
    bytes,
    sha256,
    ...(architecture !== undefined && { architecture }),
    ...(release !== undefined && { release }),
  };
}
