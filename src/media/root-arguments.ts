/** Kernel arguments for the location of a live system's root file system. Source: fedora-coreos-config, live-generator and coreos-livepxe-rootfs.sh */
const onImage = 'coreos.liveiso=';
const byUrl = 'coreos.live.rootfs_url=';

/** The root file system on a full live ISO. Source: coreos-installer src/live/mod.rs */
export const rootfsFile = 'images/pxeboot/rootfs.img';

/** The argument for a live system that downloads its root file system. */
export function rootfsArgument(rootfs: URL): string {
  return `${byUrl}${rootfs.href}`;
}

/** Volume ID of the live ISO that has the root file system. */
export function liveVolumeIn(kernelArguments: string): string | undefined {
  return lastValue(kernelArguments, onImage);
}

export function rootfsUrlIn(kernelArguments: string): string | undefined {
  return lastValue(kernelArguments, byUrl);
}

/** The last one wins. Source: dracut, getarg in dracut-lib.sh. An empty value counts as none. */
function lastValue(kernelArguments: string, name: string): string | undefined {
  const value = wordsOf(kernelArguments)
    .findLast((word) => word.startsWith(name))
    ?.slice(name.length);
  return value === '' ? undefined : value;
}

/** Removes the arguments for the location of the root file system. */
export function withoutRootArguments(kernelArguments: string): string {
  return wordsOf(kernelArguments)
    .filter((word) => !word.startsWith(onImage) && !word.startsWith(byUrl))
    .join(' ');
}

function wordsOf(kernelArguments: string): readonly string[] {
  return kernelArguments.split(/\s+/).filter((word) => word !== '');
}
