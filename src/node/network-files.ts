import type { NetworkDescription } from '../config/schema/network-model.js';
import type { NodeFile } from '../ignition/types.js';
import type { Keyfile } from '../config/network/keyfile.js';
import { keyfilesOf } from '../config/network/keyfiles.js';

/** NetworkManager's folder for persistent profiles. Source: nm-settings-keyfile(5), NetworkManager.conf(5) */
const folder = '/etc/NetworkManager/system-connections';

/** Profiles of a network description and the user's keyfiles. Only root may read them: NetworkManager ignores others. */
export function networkFiles(network: NetworkDescription, given: readonly Keyfile[]): readonly NodeFile[] {
  return [...keyfilesOf(network), ...given]
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
    .map(({ name, text }) => ({ path: `${folder}/${name}`, mode: 0o600, contents: text }));
}
