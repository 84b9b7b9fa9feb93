import { quoted } from '../../../core/quoted.js';
import { interfacesOf } from '../interfaces.js';
import { keyfileName } from '../keyfiles.js';
import { fileNameOf } from '../keyfile-faults.js';
import type { Finding } from '../../schema/rule.js';
import type { NetworkRule, NetworkSubject } from './network-subject.js';
import { repeatedItems } from './network-paths.js';

/** Rules on NetworkManager keyfiles that the config names. */
export const keyfileRules: readonly NetworkRule[] = [
  {
    number: 115,
    fields: ['network.keyfiles[]'],
    text: 'A keyfile exists, is named *.nmconnection, and NetworkManager can read it; no other keyfile or interface has its name.',
    origin: 'sno-install',
    check: keyfiles,
  },
];

const code = 'config/keyfile' as const;

function keyfiles({ config }: NetworkSubject): readonly Finding[] {
  const paths = (config.network?.keyfiles ?? []).map((path, index) => ({
    file: path,
    path: ['network', 'keyfiles', index],
  }));
  const made = new Set(interfacesOf(config.network ?? {}).map(keyfileName));
  return [
    ...paths
      .filter(({ file }) => !/^[ -~]*$/.test(file) || !/^[^.].*\.nmconnection$/.test(fileNameOf(file)))
      .map(({ file, path }) => ({
        code,
        path,
        message: `${quoted(file)} is not a keyfile name: it must end in .nmconnection`,
        hint: 'NetworkManager ignores other files',
      })),
    ...repeatedItems(paths, ({ file }) => fileNameOf(file)).map(({ item }) => ({
      code,
      path: item.path,
      message: `two keyfiles are named ${quoted(fileNameOf(item.file))}`,
    })),
    ...paths
      .filter(({ file }) => made.has(fileNameOf(file)))
      .map(({ file, path }) => ({
        code,
        path,
        message: `${quoted(fileNameOf(file))} is already generated from network.interfaces`,
        hint: 'remove the interface there, or rename the file',
      })),
  ];
}
