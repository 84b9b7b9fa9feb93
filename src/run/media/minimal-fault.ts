/** Options for a minimal image. */
export interface MinimalOptions {
  readonly minimal?: true;
  readonly rootfs?: string;
  readonly rootfsOut?: string;
}

/** The fault in the options of a minimal image, with its hint. */
export function minimalFault({
  minimal,
  rootfs,
  rootfsOut,
}: MinimalOptions): readonly [message: string, hint: string] | undefined {
  if (minimal !== true) {
    const option = rootfs === undefined ? '--rootfs-out' : '--rootfs';
    return rootfs === undefined && rootfsOut === undefined
      ? undefined
      : [`${option} is for a minimal image`, `add --minimal, or remove ${option}`];
  }
  if (rootfs === undefined)
    return [
      '--minimal needs --rootfs: the live system fetches its root file system',
      'set it to the URL of the served file, such as --rootfs http://192.0.2.1/rootfs.img',
    ];
  return rootfsOut === '-' ? ['--rootfs-out needs a file', 'stdout is reserved for the image'] : undefined;
}
