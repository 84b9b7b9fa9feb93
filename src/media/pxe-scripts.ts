import type { PxeSources } from './pxe-sources.js';
import { rootfsArgument } from './root-arguments.js';

/** Kernel arguments of every CoreOS live system that reads its config from the initramfs. */
const liveArguments = ['ignition.firstboot', 'ignition.platform.id=metal'];

function argumentsOf({ rootfs }: PxeSources, added: readonly string[]): string {
  return [rootfsArgument(rootfs), ...liveArguments, ...added].join(' ');
}

/** Additions of the boot scripts for a site. */
export interface ScriptOptions {
  /** Words to append to the kernel arguments. */
  readonly added: readonly string[];
  /** Whether the site installs from a payload, which a network boot does not have. */
  readonly hasPayload: boolean;
}

/** Shown on the console before the boot. */
const payloadNote = [
  'This site installs from a payload, which a network boot does not contain.',
  'The machine needs it on a disk or USB stick: sno-install payload write',
];

/** An iPXE script that boots the live system. UEFI needs the names after `initrd=`, because the kernel loads its initramfs by name. */
export function ipxeScript(sources: PxeSources, { added, hasPayload }: ScriptOptions): string {
  return [
    '#!ipxe',
    '# Boots a live system that installs single-node OpenShift. Written by sno-install.',
    ...(hasPayload ? payloadNote.map((line) => `echo ${line}`) : []),
    `kernel ${sources.kernel.href} initrd=main initrd=config ${argumentsOf(sources, added)}`,
    `initrd --name main ${sources.initrd.href}`,
    `initrd --name config ${sources.overlay.href}`,
    'boot',
    '',
  ].join('\n');
}

/** A GRUB menu entry that boots the live system; undefined for https URLs, because GRUB has no TLS. */
export function grubEntry(sources: PxeSources, { added, hasPayload }: ScriptOptions): string | undefined {
  const { kernel, initrd, overlay } = sources;
  if ([kernel, initrd, overlay].some(({ protocol }) => protocol !== 'http:')) return undefined;
  return [
    '# Boots a live system that installs single-node OpenShift. Written by sno-install.',
    "menuentry 'Install single-node OpenShift' --id sno-install {",
    ...(hasPayload ? payloadNote.map((line) => `  echo '${line}'`) : []),
    `  linux '${grubFile(kernel)}' ${argumentsOf(sources, added)
      .split(' ')
      .map((word) => `'${word}'`)
      .join(' ')}`,
    `  initrd '${grubFile(initrd)}' '${grubFile(overlay)}'`,
    '}',
    '',
  ].join('\n');
}

/** A network file in GRUB's syntax. Source: GRUB manual, device syntax */
function grubFile({ hostname, port, pathname }: URL): string {
  return `(http,${hostname}${port === '' ? '' : `,${port}`})${pathname}`;
}
