import { problem } from '../core/problem.js';
import { failure, problemsOf, success, type Result } from '../core/result.js';
import { releaseOf, type MachineName } from './machine-of.js';
import { firstPlainMinor, hasPlainImages, type ImageFacts } from './image-mismatches.js';

/** The user's URLs of the files of a live system. */
export interface PxeSourceOptions {
  readonly rootfs: string;
  readonly kernel?: string;
  readonly initrd?: string;
  readonly overlay?: string;
}

/** The http or https URLs of the files of a live system. */
export type PxeSources = Readonly<Record<keyof PxeSourceOptions, URL>>;

/** Default name of the initrd overlay that contains the config. */
export const overlayName = 'single-node-initrd.img';

/**
 * Completes the URLs: a missing one defaults to CoreOS's file name in the directory of the root file system. `release` is the
 * installed release, such as `4.18`. Problems: media/pxe-source.
 */
export function pxeSources(given: PxeSourceOptions, release: string | undefined): Result<PxeSources> {
  const rootfs = sourceOf('--rootfs', given.rootfs);
  if (!rootfs.ok) return rootfs;
  const names = namesBeside(fileName(rootfs.value), release);
  const beside = (option: string, url: string | undefined, name: string | undefined): Result<URL> => {
    if (url !== undefined) return sourceOf(option, url);
    if (name !== undefined) return success(new URL(name, rootfs.value));
    const message = `the name of the root file system does not determine the other files: ${option} is needed`;
    return failure(problem('media/pxe-source', message));
  };
  const kernel = beside('--kernel', given.kernel, names?.kernel);
  const initrd = beside('--initrd', given.initrd, names?.initrd);
  const overlay = beside('--overlay', given.overlay, overlayName);
  return kernel.ok && initrd.ok && overlay.ok
    ? success({ rootfs: rootfs.value, kernel: kernel.value, initrd: initrd.value, overlay: overlay.value })
    : failure(...[kernel, initrd, overlay].flatMap(problemsOf));
}

/**
 * Validates the root file system's URL for a live system that boots from its own image. Problems: media/pxe-source, also
 * for characters at which GRUB ends a command.
 */
export function rootfsSource(given: string): Result<URL> {
  const source = sourceOf('--rootfs', given);
  return source.ok && /[;&|]/.test(source.value.href)
    ? refusedSource('--rootfs', 'contains ; & or |, where GRUB would cut it off')
    : source;
}

/** Name of a build at the start of a file name: `rhcos-9.6.20250523-0`, or `rhcos-4.18.1-x86_64` on the mirror; undefined in other names. */
export function buildIn(url: URL): string | undefined {
  return /^((?:rhcos|scos|fedora-coreos)-\d.*?)-live-/.exec(fileName(url))?.[1];
}

/** Architecture, system and release in the file name of a kernel, initramfs or root file system. */
export function sourceFacts(url: URL): ImageFacts {
  const name = fileName(url);
  const [, architecture = ''] = /[.-](x86_64|aarch64|ppc64le|s390x)(?:[.-]|$)/.exec(name) ?? [];
  const machine = machines[architecture];
  const release = /^rhcos-(4\.\d+)\.\d/.exec(name)?.[1] ?? releaseOf(name);
  // A user may name the file freely; only names of builds tell the system.
  const volume = buildIn(url);
  return {
    ...(machine && { machine }),
    ...(release !== undefined && { release }),
    ...(volume !== undefined && { volume }),
  };
}

/** By CoreOS name. Source: coreos-assembler, names of the live artifacts */
const machines: Readonly<Record<string, MachineName>> = {
  x86_64: 'amd64',
  aarch64: 'arm64',
  ppc64le: 'ppc64le',
  s390x: 's390x',
};

function sourceOf(option: string, text: string): Result<URL> {
  const refused = (fault: string): Result<never> => refusedSource(option, fault);
  // Characters with a special meaning to boot loaders or the kernel. Valid URLs do not contain them.
  const wrong = /[^\u0021-\u007e]|["'`\\$]/.test(text);
  if (wrong || !URL.canParse(text)) return refused('is not a URL');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return refused('is not an http or https URL');
  if (url.username !== '' || url.password !== '')
    return refused('contains credentials, which everyone on the network and on the node could read');
  if (url.search !== '')
    return refused('contains a query, which everyone on the network and on the node could read');
  return url.hash === '' && fileName(url) !== '' ? success(url) : refused('does not name a file');
}

function refusedSource(option: string, fault: string): Result<never> {
  const hint = 'use a URL such as http://192.0.2.1/live/NAME';
  return failure(problem('media/pxe-source', `${option} ${fault}`, { hint }));
}

function fileName({ pathname }: URL): string {
  return pathname.slice(pathname.lastIndexOf('/') + 1);
}

/** File names of the kernel and initramfs of a root file system: as downloaded, or as extracted by coreos-installer from an ISO. */
function namesBeside(
  rootfs: string,
  release: string | undefined,
): { readonly kernel: string; readonly initrd: string } | undefined {
  const [, before, architecture] = /^(.*)rootfs\.([a-z0-9_]+)\.img$/.exec(rootfs) ?? [];
  if (before !== undefined && architecture !== undefined) {
    const joint = hasDot(rootfs, release) ? '.' : '-';
    return {
      kernel: `${before}kernel${joint}${architecture}`,
      initrd: `${before}initramfs.${architecture}.img`,
    };
  }
  const [, prefix] = /^(.*)rootfs\.img$/.exec(rootfs) ?? [];
  return prefix === undefined ? undefined : { kernel: `${prefix}vmlinuz`, initrd: `${prefix}initrd.img` };
}

/**
 * Kernels were `NAME-kernel-x86_64` up to 4.18 and are `NAME-kernel.x86_64` since. Source: `formats.pxe` of the stream data of
 * openshift/installer, data/data/coreos: of 410.84.202201251203-0 at 01ff606a, of 9.8.20260428-0 at c0f7ffc1
 */
function hasDot(rootfs: string, release: string | undefined): boolean {
  // Build names: `rhcos-418.94.…` is a build for OpenShift, `rhcos-9.6.…` one of plain CoreOS. The mirror's names contain the release.
  const [, named] = /^rhcos-4\.(\d+)\./.exec(rootfs) ?? [];
  if (named !== undefined) return Number(named) >= firstPlainMinor;
  if (/^(?:rhcos|scos)-4\d/.test(rootfs)) return false;
  if (/^(?:rhcos|scos)-\d/.test(rootfs)) return true;
  return hasPlainImages(release);
}
