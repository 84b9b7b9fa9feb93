import { releaseText } from '../../media/machine-of.js';
import type { IsoFacts, Medium } from '../../media/read-medium.js';
import { rootfsUrlIn } from '../../media/root-arguments.js';
import { isNetworkFile } from '../inspection/network-file.js';
import type { BootedMedium } from './boot-rows.js';

/** The facts of a live ISO or an initrd overlay that its config does not contain. */
export function bootedMedium({ files, iso }: Medium): BootedMedium {
  const keyfiles = [...files]
    .filter(([path]) => isNetworkFile(path))
    .map(([path, { contents }]) => ({ path, text: contents.toString('utf8') }));
  return { ...(iso && mediumOfIso(iso)), keyfiles };
}

function mediumOfIso(iso: IsoFacts): BootedMedium {
  const { volume, machine, release, kernelArguments, rootfs, payload } = iso;
  const { text, original } = kernelArguments ?? {};
  const added =
    text !== undefined && original !== undefined && text.startsWith(original)
      ? text.slice(original.length)
      : text;
  return {
    liveSystem: [volume, releaseText(release), ...(machine === undefined ? [] : [machine])].join(', '),
    payload: payload ?? 'none',
    ...(added !== undefined && { kernelArguments: userWords(added) }),
    ...(rootfs && { rootfsUrl: rootfs.url ?? 'an unknown URL: the kernel argument is missing' }),
  };
}

/** The facts of the iPXE script of a network boot that its config does not contain. */
export function mediumOfScript(script: string): BootedMedium {
  const [, line = ''] = /^kernel \S+ (.*)$/m.exec(script) ?? [];
  const rootfsUrl = rootfsUrlIn(line);
  return { kernelArguments: userWords(line), ...(rootfsUrl !== undefined && { rootfsUrl }) };
}

/** Arguments that every live system has, and those with the location of its files. Sources: coreos-installer, embed defaults; pxe-scripts.ts */
const ofEveryLiveSystem =
  /^(?:initrd=.*|coreos\.live(?:iso|\.rootfs_url)=.*|ignition\.firstboot|ignition\.platform\.id=metal|rw|random\.trust_cpu=on)$/;

function userWords(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '' && !ofEveryLiveSystem.test(word));
}
