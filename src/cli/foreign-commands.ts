/** Commands of openshift-install that people type here, with what does the same. Source: openshift/installer cmd/openshift-install */
const equivalents: readonly { readonly command: string; readonly hint: string }[] = [
  {
    command: 'create cluster',
    hint: 'run `sno-install create single-node-ignition-config`, boot the node with it, then run `sno-install wait-for install-complete`',
  },
  { command: 'create ignition-configs', hint: 'run `sno-install create single-node-ignition-config`' },
  {
    command: 'agent create',
    hint: 'run `sno-install create single-node-ignition-config` and embed what it writes into the live ISO with coreos-installer',
  },
  { command: 'agent wait-for', hint: 'run `sno-install wait-for`' },
  {
    command: 'agent',
    hint: 'a single node is installed with `sno-install create single-node-ignition-config`',
  },
  {
    command: 'destroy',
    hint: 'nothing was made outside of the node: wipe its disk and remove its DNS records',
  },
  {
    command: 'migrate',
    hint: 'old fields of install-config.yaml are read as they are; `sno-install validate` names the new ones',
  },
];

/** What to type instead of a command of openshift-install; undefined for other words. */
export function foreignCommandHint(words: readonly string[]): string | undefined {
  const typed = words.filter((word) => !word.startsWith('-')).join(' ');
  return equivalents.find(({ command }) => typed === command || typed.startsWith(`${command} `))?.hint;
}
