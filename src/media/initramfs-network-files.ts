import { cpioType, type CpioMember } from '../formats/cpio.js';
import { decodeDataUrl } from '../formats/data-url.js';
import { parseJson } from '../formats/json.js';
import { listAt, textAt } from '../kube/fields.js';

/** Path of NetworkManager's profiles. Source: nm-settings-keyfile(5) */
const profileOnNode = /^\/etc\/NetworkManager\/system-connections\/([^/]+\.nmconnection)$/;

/** Path from which the initramfs of CoreOS reads profiles. Source: fedora-coreos-config, coreos-copy-firstboot-network.sh */
const folderInInitramfs = 'etc/coreos-firstboot-network';

/**
 * Copies a config's network profiles, unchanged, to the initramfs. A live system that downloads its root file system needs the
 * network there, before Ignition writes the files of the config.
 */
export function initramfsNetworkFiles(config: Uint8Array): readonly CpioMember[] {
  const files = listAt(parseJson(Buffer.from(config).toString('utf8')), ['storage', 'files']);
  return files.flatMap((file) => {
    const [, name] = profileOnNode.exec(textAt(file, ['path']) ?? '') ?? [];
    const contents = decodeDataUrl(textAt(file, ['contents', 'source']) ?? '');
    return name === undefined || contents === undefined
      ? []
      : [{ path: `${folderInInitramfs}/${name}`, mode: cpioType.file | 0o600, contents }];
  });
}
