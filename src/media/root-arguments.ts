/** What a kernel is told of where a live system has its root. Source: fedora-coreos-config, live-generator and coreos-livepxe-rootfs.sh */
const onImage = 'coreos.liveiso=';
const byUrl = 'coreos.live.rootfs_url=';

/** The argument for a live system that fetches its root. */
export function rootfsArgument(rootfs: URL): string {
  return `${byUrl}${rootfs.href}`;
}

/** Whether arguments say that the root is on the image. */
export function hasRootOnImage(kernelArguments: string): boolean {
  return wordsOf(kernelArguments).some((word) => word.startsWith(onImage));
}

/** The URL that arguments say the root is fetched from. */
export function rootfsUrlIn(kernelArguments: string): string | undefined {
  const word = wordsOf(kernelArguments).findLast((each) => each.startsWith(byUrl));
  return word?.slice(byUrl.length);
}

/** Arguments that say nothing of where the root is. */
export function withoutRoot(kernelArguments: string): string {
  return wordsOf(kernelArguments)
    .filter((word) => !word.startsWith(onImage) && !word.startsWith(byUrl))
    .join(' ');
}

function wordsOf(kernelArguments: string): readonly string[] {
  return kernelArguments.split(/\s+/).filter((word) => word !== '');
}
