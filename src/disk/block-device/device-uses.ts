import { join } from 'node:path';

import { attribute, devicePath, entriesOf, type BlockDevice, type SystemView } from './block-device.js';

/** A use of a disk, of one of its partitions, or of a device on top of them. */
export interface DeviceUse {
  readonly kind: 'mount' | 'swap' | 'holder';
  /** Path of the device that is used. */
  readonly device: string;
  /** Mount point, or path of the holder. */
  readonly by: string;
  /** Whether this machine runs from it. */
  readonly isSystem: boolean;
}

/** Mount points without which a machine does not run. */
const systemMounts = new Set(
  '/ /boot /boot/efi /efi /etc /home /nix /opt /ostree /sysroot /usr /var /var/lib /var/log'.split(' '),
);

/** Every use of a device that the kernel shows. */
export function usesOf(device: BlockDevice, view: SystemView): readonly DeviceUse[] {
  const { names, holders } = stackOf(device.name, view);
  const paths = new Map(
    names.map((name) => [attribute(folderOf(name, view), 'dev'), devicePath(name)] as const),
  );
  return [...mountsOf(paths, view), ...swapsOf(paths, view), ...holders];
}

function folderOf(name: string, { sys }: SystemView): string {
  return join(sys, 'class/block', name);
}

/** The kernel's names of a device, its partitions, and all devices on top of them. */
function stackOf(
  name: string,
  view: SystemView,
): { readonly names: readonly string[]; readonly holders: readonly DeviceUse[] } {
  const names = new Set([name]);
  const holders: DeviceUse[] = [];
  // A set yields members that are added while it is read.
  for (const each of names) {
    const folder = folderOf(each, view);
    for (const part of entriesOf(folder)) if (attribute(folder, `${part}/partition`) !== '') names.add(part);
    const number = attribute(folder, 'dev');
    for (const holder of [...entriesOf(join(folder, 'holders')), ...loopsOn(number, view)]) {
      names.add(holder);
      holders.push({
        kind: 'holder',
        device: devicePath(each),
        by: holderPath(holder, view),
        isSystem: false,
      });
    }
  }
  return { names: [...names], holders };
}

/** Users know volumes by the names in /dev/mapper. */
function holderPath(holder: string, view: SystemView): string {
  const name = attribute(folderOf(holder, view), 'dm/name');
  return name === '' ? devicePath(holder) : `/dev/mapper/${name}`;
}

/** Loop devices do not appear among the holders. */
function loopsOn(number: string, view: SystemView): readonly string[] {
  return entriesOf(join(view.sys, 'class/block'))
    .filter((name) => /^loop\d+$/.test(name))
    .filter((name) => {
      const file = attribute(folderOf(name, view), 'loop/backing_file');
      return file !== '' && view.numberAt(file) === number;
    });
}

type Paths = ReadonlyMap<string, string>;

/** Source of the fields: proc_pid_mountinfo(5) */
function mountsOf(paths: Paths, view: SystemView): readonly DeviceUse[] {
  return attribute(view.proc, 'self/mountinfo')
    .split('\n')
    .flatMap((line): readonly DeviceUse[] => {
      const fields = line.split(' ');
      const [, , number = '', , mountPoint = ''] = fields;
      const source = unescaped(fields[fields.indexOf('-') + 2] ?? '');
      // Btrfs has numbers that belong to no device.
      const device = paths.get(number) ?? paths.get(view.numberAt(source) ?? '');
      const by = unescaped(mountPoint);
      return device === undefined ? [] : [{ kind: 'mount', device, by, isSystem: systemMounts.has(by) }];
    });
}

/** Source of the fields: proc_swaps(5) */
function swapsOf(paths: Paths, view: SystemView): readonly DeviceUse[] {
  return attribute(view.proc, 'swaps')
    .split('\n')
    .flatMap((line): readonly DeviceUse[] => {
      const path = unescaped(line.split(/\s/)[0] ?? '');
      const device = paths.get(view.numberAt(path) ?? '');
      return device === undefined ? [] : [{ kind: 'swap', device, by: path, isSystem: true }];
    });
}

/** The kernel writes white space in octal. */
function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}
