import type { NetworkDescription } from '../config/schema/network-model.js';
import type { NodeFile } from '../ignition/types.js';
import type { Keyfile } from '../config/network/keyfile.js';
import { keyfilesOf } from '../config/network/keyfiles.js';

/** Where NetworkManager looks for profiles that stay. Source: nm-settings-keyfile(5), NetworkManager.conf(5) */
const folder = '/etc/NetworkManager/system-connections';

/** The profiles of a description and those that were given as files, for root alone: NetworkManager leaves others out. */
export function networkFiles(network: NetworkDescription, given: readonly Keyfile[]): readonly NodeFile[] {
  return [...keyfilesOf(network), ...given]
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
    .map(({ name, text }) => ({ path: `${folder}/${name}`, mode: 0o600, contents: text }));
}
