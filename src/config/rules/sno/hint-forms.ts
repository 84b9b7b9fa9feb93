import { quoted } from '../../../core/quoted.js';
import type { RootDeviceHints } from '../../schema/disk-schema.js';
import type { Finding } from '../../schema/rule.js';
import type { SnoSubject } from './sno-subject.js';

/**
 * Forms of a World Wide Name in lsblk. Sources: systemd src/udev/scsi_id and ata_id (0x and 16 digits, with the extension of the vendor
 * 32, which begin with 6); Linux' drivers/nvme/host, wwid_show
 */
const names =
  /^(0x[0-9a-f]{16}|0x6[0-9a-f]{31}|eui\.([0-9a-f]{16}|[0-9a-f]{32})|uuid\.[0-9a-f-]{36}|nvme\..+)$/;
const extension = /^0x[0-9a-f]{16}$/;
/** What controllers, hypervisors and links in /dev/disk/by-id have before a name. */
const prefix = /^(?:\/dev\/disk\/by-id\/)?(?:wwn-|nvme-|scsi-3|dm-uuid-mpath-3)?(?:naa[.:]?)?(?:0x)?/;
/** SCSI names of devices begin with 2, 3 or 5, or with 6 and have 32 digits. Source: T10 SPC, NAA designators */
const digitsOfName = /^(?:[235][0-9a-f]{15}|6[0-9a-f]{31})$/;

/** In units of 10^9 bytes. The largest disk on sale has 245.76 TB. */
const largestDisk = 250_000;

interface Mismatch {
  readonly reason: string;
  readonly hint: string;
}

/** Hints that are written as lsblk prints no value, so that no disk matches. */
export function hintForms({ input: { rootDeviceHints: hints = {} } }: SnoSubject): readonly Finding[] {
  const fields = Object.entries(hints).filter(([, value]) => String(value).trim() !== '');
  return fields.flatMap(([field, value]) => {
    const mismatch = mismatchOf(field, value);
    if (mismatch === undefined) return [];
    const message = `no disk matches ${field} ${typeof value === 'string' ? quoted(value.trim()) : value}: ${mismatch.reason}`;
    const path = ['rootDeviceHints', field];
    return [{ code: 'config/root-device-hint-form' as const, path, message, hint: mismatch.hint }];
  });
}

function mismatchOf(field: string, value: RootDeviceHints[keyof RootDeviceHints]): Mismatch | undefined {
  if (field === 'minSizeGigabytes' && typeof value === 'number' && value > largestDisk)
    return { reason: 'it is larger than any disk', hint: 'write units of 10^9 bytes, such as 480' };
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  // Rule 151 reports spaces and control characters.
  if (field.startsWith('wwn')) return /\s/.test(text) ? undefined : nameMismatch(field, text.toLowerCase());
  if (field === 'hctl') return addressMismatch(text);
  const isPart = field === 'model' || field === 'vendor';
  return isPart && /^\*|\*$/.test(text)
    ? { reason: 'it is compared as plain text, without wildcards', hint: 'write the part without *' }
    : undefined;
}

function nameMismatch(field: string, text: string): Mismatch | undefined {
  const digits = text.replace(prefix, '').replaceAll(/[:-](?=[0-9a-f]{2}(?:[:-]|$))/g, '');
  if (field === 'wwnVendorExtension') {
    if (extension.test(text)) return undefined;
    const isKnown = /^(?:6[0-9a-f]{15})?[0-9a-f]{16}$/.test(digits);
    const hint = isKnown ? `write "0x${digits.slice(-16)}"` : 'write them as "0xabcdef0123456789"';
    return { reason: 'the extension is 0x and the last 16 digits of a name with 32', hint };
  }
  if (field === 'wwnWithExtension' && /^0x6[0-9a-f]{15}$/.test(text))
    return { reason: 'a name that begins with 6 has 32 digits', hint: 'write all of them, or use wwn' };
  if (names.test(text)) return undefined;
  return { reason: 'it is not a name as lsblk prints it', hint: nameHint(digits) };
}

function nameHint(digits: string): string {
  if (digitsOfName.test(digits)) return `write "0x${digits}"`;
  if (names.test(digits)) return `write "${digits}"`;
  return 'write it as "lsblk --output NAME,WWN" prints it, such as "0x5000c500a1b2c3d4"';
}

function addressMismatch(text: string): Mismatch | undefined {
  if (!/^\d+:\d+:\d+:\d+$/.test(text)) return undefined;
  const plain = text.replaceAll(/\b0+(?=\d)/g, '');
  return plain === text
    ? undefined
    : { reason: 'numbers of a SCSI address have no leading zeros', hint: `write "${plain}"` };
}
