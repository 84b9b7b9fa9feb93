/** The part of a receipt that only media have. */
export interface ReceiptMedium {
  /** The embedded Ignition config. */
  readonly config: MediumConfig;
  /** The base ISO; absent for network boot. */
  readonly liveIso?: ReceiptLiveIso;
  /** The payload behind the image of an ISO. */
  readonly payload?: ReceiptPayload;
  /** URLs that the machine loads: `rootfs`, `kernel`, `initrd`, `overlay`. */
  readonly urls: Readonly<Record<string, string>>;
  /** Kernel arguments added to those of the image. Values that may be secret are masked as `…`. */
  readonly kernelArguments: readonly string[];
  /** The output from which the HMAC key is derived; absent if no input has a keyed hash. */
  readonly keyHolder?: { readonly path: string; readonly sha256: string };
}

/** A payload: the version of its release, and the SHA-256 of its file system in hex. */
export interface ReceiptPayload {
  readonly release: string;
  readonly sha256: string;
}

/** An embedded Ignition config, as printed by `coreos-installer iso ignition show`. */
export interface MediumConfig {
  /** Path of the unencrypted file below the folder of the receipt; absent if it is elsewhere. */
  readonly path?: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** A live ISO before customization. */
export interface ReceiptLiveIso {
  readonly name: string;
  /** Path below the folder of the receipt; absent if the ISO is elsewhere or was modified in place. */
  readonly path?: string;
  readonly bytes: number;
  readonly sha256: string;
  /** From the kernel. */
  readonly architecture?: string;
  /** `MAJOR.MINOR` from the volume label, if present. */
  readonly release?: string;
}

/** Returns the members in their canonical order. */
export function orderedMedium(medium: ReceiptMedium): ReceiptMedium {
  const { config, liveIso, payload, urls, kernelArguments, keyHolder } = medium;
  return {
    config: {
      ...(config.path !== undefined && { path: config.path }),
      bytes: config.bytes,
      sha256: config.sha256,
    },
    ...(liveIso && { liveIso: liveIsoText(liveIso) }),
    ...(payload && { payload: { release: payload.release, sha256: payload.sha256 } }),
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
