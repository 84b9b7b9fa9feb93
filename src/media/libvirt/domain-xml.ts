import { element, textElement, xmlText, type XmlElement } from '../../formats/xml.js';
import type { VirtualCard } from './virtual-cards.js';
import type { VirtualDisk } from './virtual-disk.js';
import type { VirtualMachine } from './virtual-machine.js';

/** Files and connections of the host. */
export interface DomainHost {
  /** Absolute paths. */
  readonly diskFile: string;
  readonly isoFile: string;
  /** A bridge of the host; absent for the network with the name of the machine. */
  readonly bridge?: string;
}

/** The domain of a machine. Source: libvirt.org/formatdomain.html */
export function domainXml(machine: VirtualMachine, host: DomainHost): string {
  const isArm = machine.architecture === 'arm64';
  const type = isArm ? { arch: 'aarch64', machine: 'virt' } : { arch: 'x86_64', machine: 'q35' };
  return xmlText(
    element(
      'domain',
      { type: 'kvm' },
      textElement('name', machine.name),
      textElement('memory', machine.size.memoryGib, { unit: 'GiB' }),
      textElement('vcpu', machine.size.cpus),
      element(
        'os',
        { firmware: 'efi' },
        textElement('type', 'hvm', type),
        // libvirt prefers firmware with Secure Boot, which rejects images without a signature of Microsoft.
        element('firmware', {}, element('feature', { enabled: 'no', name: 'secure-boot' })),
      ),
      element('features', {}, element('acpi', {}), isArm ? undefined : element('apic', {})),
      element('cpu', { mode: 'host-passthrough' }),
      element('clock', { offset: 'utc' }),
      textElement('on_reboot', 'restart'),
      element(
        'devices',
        {},
        diskElement(machine.disk, host.diskFile),
        // The machine type of arm64 has no SATA controller.
        mediumElement(host.isoFile, isArm ? 'scsi' : 'sata'),
        element('controller', { type: 'scsi', index: 0, model: 'virtio-scsi' }),
        ...machine.cards.map((card) => cardElement(card, machine.name, host.bridge)),
        element('console', { type: 'pty' }),
        element('graphics', { type: 'vnc' }),
        element('video', {}, element('model', { type: 'virtio' })),
        element('rng', { model: 'virtio' }, textElement('backend', '/dev/urandom', { model: 'random' })),
      ),
    ),
  );
}

/** The disk is the first in the boot order: the machine boots from the medium only while the disk is empty. */
function diskElement(disk: VirtualDisk, file: string): XmlElement {
  return element(
    'disk',
    { type: 'file', device: 'disk' },
    element('driver', { name: 'qemu', type: 'qcow2', discard: 'unmap' }),
    element('source', { file }),
    element('target', {
      dev: disk.bus === 'virtio' ? 'vda' : 'sda',
      bus: disk.bus,
      rotation_rate: disk.rotationRate,
    }),
    textOrNone('serial', disk.serial),
    textOrNone('wwn', disk.wwn),
    textOrNone('vendor', disk.vendor),
    textOrNone('product', disk.product),
    element('boot', { order: 1 }),
  );
}

function textOrNone(name: string, text: string | undefined): XmlElement | undefined {
  return text === undefined ? undefined : textElement(name, text);
}

function mediumElement(file: string, bus: string): XmlElement {
  return element(
    'disk',
    { type: 'file', device: 'cdrom' },
    element('driver', { name: 'qemu', type: 'raw' }),
    element('source', { file }),
    element('target', { dev: 'sdb', bus }),
    element('readonly', {}),
    element('boot', { order: 2 }),
  );
}

function cardElement(card: VirtualCard, network: string, bridge: string | undefined): XmlElement {
  const { mac, acpiIndex, place } = card;
  const { bus, functionNumber } = place ?? {};
  return element(
    'interface',
    { type: bridge === undefined ? 'network' : 'bridge' },
    element('mac', { address: mac }),
    element('source', bridge === undefined ? { network } : { bridge }),
    element('model', { type: 'virtio' }),
    acpiIndex === undefined ? undefined : element('acpi', { index: acpiIndex }),
    bus === undefined
      ? undefined
      : element('address', {
          type: 'pci',
          domain: '0x0000',
          bus: hex(bus),
          slot: '0x00',
          function: `0x${functionNumber ?? 0}`,
          // Only functions of such a device have a number in their names.
          multifunction: functionNumber === 0 ? 'on' : undefined,
        }),
  );
}

function hex(value: number): string {
  return `0x${value.toString(16).padStart(2, '0')}`;
}
