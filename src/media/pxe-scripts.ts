import type { PxeSources } from './pxe-sources.js';
import { rootfsArgument } from './root-arguments.js';

/** What every live system of CoreOS is told that takes its config from the initramfs. */
const liveArguments = ['ignition.firstboot', 'ignition.platform.id=metal'];

function argumentsOf({ rootfs }: PxeSources, added: readonly string[]): string {
  return [rootfsArgument(rootfs), ...liveArguments, ...added].join(' ');
}

/** A script that iPXE boots the live system by. The names behind `initrd=` are for UEFI, where the kernel asks for its initramfs. */
export function ipxeScript(sources: PxeSources, added: readonly string[]): string {
  return [
    '#!ipxe',
    '# Boots a live system that installs single-node OpenShift. Written by sno-install.',
    `kernel ${sources.kernel.href} initrd=main initrd=config ${argumentsOf(sources, added)}`,
    `initrd --name main ${sources.initrd.href}`,
    `initrd --name config ${sources.overlay.href}`,
    'boot',
    '',
  ].join('\n');
}

/** A menu entry that GRUB boots the live system by; undefined where it would need TLS, which GRUB has not. */
export function grubEntry(sources: PxeSources, added: readonly string[]): string | undefined {
  const { kernel, initrd, overlay } = sources;
  if ([kernel, initrd, overlay].some(({ protocol }) => protocol !== 'http:')) return undefined;
  return [
    '# Boots a live system that installs single-node OpenShift. Written by sno-install.',
    "menuentry 'Install single-node OpenShift' --id sno-install {",
    `  linux '${grubFile(kernel)}' ${argumentsOf(sources, added)
      .split(' ')
      .map((word) => `'${word}'`)
      .join(' ')}`,
    `  initrd '${grubFile(initrd)}' '${grubFile(overlay)}'`,
    '}',
    '',
  ].join('\n');
}

/** A file by the network, as GRUB writes it. Source: GRUB manual, device syntax */
function grubFile({ hostname, port, pathname }: URL): string {
  return `(http,${hostname}${port === '' ? '' : `,${port}`})${pathname}`;
}
