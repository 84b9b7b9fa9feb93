import { cpioType, type CpioMember } from '../formats/cpio.js';
import { decodeDataUrl } from '../formats/data-url.js';
import { parseJson } from '../formats/json.js';
import { listAt, textAt } from '../kube/fields.js';

/** Where NetworkManager has its profiles. Source: nm-settings-keyfile(5) */
const profileOnNode = /^\/etc\/NetworkManager\/system-connections\/([^/]+\.nmconnection)$/;

/** Where the initramfs of CoreOS takes them from. Source: fedora-coreos-config, coreos-copy-firstboot-network.sh */
const folderInInitramfs = 'etc/coreos-firstboot-network';

/**
 * The network profiles of a config for the initramfs of a live system, the same bytes: one that fetches its root there does so before
 * Ignition lays the config's own.
 */
export function networkBeside(config: Uint8Array): readonly CpioMember[] {
  const files = listAt(parseJson(Buffer.from(config).toString('utf8')), ['storage', 'files']);
  return files.flatMap((file) => {
    const [, name] = profileOnNode.exec(textAt(file, ['path']) ?? '') ?? [];
    const contents = decodeDataUrl(textAt(file, ['contents', 'source']) ?? '');
    return name === undefined || contents === undefined
      ? []
      : [{ path: `${folderInInitramfs}/${name}`, mode: cpioType.file | 0o600, contents }];
  });
}
