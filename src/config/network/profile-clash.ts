import { quoted } from '../../core/quoted.js';
import { keyfileEntries } from './keyfile-faults.js';

/** The fields by which two profiles of NetworkManager get in each other's way. */
export interface ProfileNames {
  readonly id?: string;
  readonly uuid?: string;
  /** Type and name of the interface that the profile is activated on by itself. */
  readonly activatedOn?: { readonly type: string; readonly interfaceName: string };
}

/** Whether NetworkManager reads a file of this path as a profile that stays. Source: nm-settings-keyfile(5) */
export function isProfilePath(path: string): boolean {
  return /^\/etc\/NetworkManager\/system-connections\/[^/.][^/]*$/.test(path);
}

/** Reads the [connection] section of a keyfile. */
export function profileNames(text: string): ProfileNames {
  const keys = new Map(
    keyfileEntries(text).flatMap(({ section, key, value }) =>
      section === 'connection' && value !== '' ? [[key, value] as const] : [],
    ),
  );
  const [id, uuid, interfaceName] = ['id', 'uuid', 'interface-name'].map((key) => keys.get(key));
  const type = keys.get('type')?.replace('802-3-', '');
  const isAutomatic = !['false', 'no', '0'].includes(keys.get('autoconnect')?.toLowerCase() ?? 'true');
  return {
    ...(id !== undefined && { id }),
    ...(uuid !== undefined && { uuid: uuid.toLowerCase() }),
    ...(isAutomatic &&
      type !== undefined &&
      interfaceName !== undefined && { activatedOn: { type, interfaceName } }),
  };
}

/**
 * The field that two profiles share, for a message: NetworkManager loads one of two with the same UUID, activates one of two for the
 * same interface, and finds either by an ID. Source: NetworkManager(8), nm-settings-nmcli(5) on autoconnect-priority
 */
export function profileClash(left: ProfileNames, right: ProfileNames): string | undefined {
  if (left.uuid !== undefined && left.uuid === right.uuid) return `uuid ${quoted(left.uuid)}`;
  const [one, other] = [left.activatedOn, right.activatedOn];
  if (one !== undefined && one.type === other?.type && one.interfaceName === other.interfaceName)
    return `interface-name ${quoted(one.interfaceName)}`;
  return left.id !== undefined && left.id === right.id ? `id ${quoted(left.id)}` : undefined;
}
