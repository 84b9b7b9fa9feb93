import type { CodeTable } from './entry.js';

/** Problems of gathering and reading a node's log bundle. */
export const supportCodes = {
  'support/bundle-unreadable': {
    severity: 'error',
    fault: 'the file for `analyze` is not a log bundle',
    why: 'A log bundle is a .tar.gz file or the unpacked folder. This file is empty, damaged or of another kind.',
    fix: 'Copy the bundle again, or create a new one with `sno-install gather --bootstrap HOST`.',
  },
  'support/bundle-too-large': {
    severity: 'error',
    fault: 'the log bundle unpacks to more than 2 GiB or 100,000 files',
    why: 'The limit protects the machine against malicious archives. A usual bundle has about 100 MB.',
    fix: 'Unpack it yourself, remove the files you do not need, and analyze the folder.',
  },
  'support/not-a-bundle': {
    severity: 'error',
    fault:
      'the archive or folder has no service records (`bootstrap/services/*.json`) and no journals (`bootstrap/journals/*.log`)',
    why: '`analyze` reads the failed stage and its error from these files.',
    fix: 'Use the whole bundle from `gather` or `installer-gather.sh`, or its unpacked folder.',
  },
  'support/host': {
    severity: 'error',
    fault: '`--bootstrap` is not a machine in the form `[USER@]HOST[:PORT]`',
    why: 'The value is an argument of ssh and must not be read as an option.',
    fix: 'Write the name or address of the node.',
    example: [
      '$ sno-install gather --bootstrap core@sno.example.com:2222',
      "$ sno-install gather --bootstrap '[fd2e::10]:22'",
    ].join('\n'),
  },
  'support/ssh-missing': {
    severity: 'error',
    fault: 'the program `ssh` is not in the PATH',
    why: '`gather` uses it to fetch the log bundle, with your ssh config and agent.',
    fix: 'Install the OpenSSH client, or run `/usr/local/bin/installer-gather.sh --id ID` on the node and copy the file.',
  },
  'support/host-unreachable': {
    severity: 'error',
    fault: 'the node does not answer on its SSH port',
    why: 'The node is also offline for some minutes while it reboots from the disk.',
    fix: 'Check the address, the port and the route. The console of the node shows its address above the login prompt.',
  },
  'support/key-refused': {
    severity: 'error',
    fault: 'the node rejects the keys in the state file, `--key` and ssh-agent for the user core',
    why: 'The live system accepts the key of the state file and `sshKey` of install-config.yaml; the installed node accepts only `sshKey`.',
    fix: 'Name the private key of `sshKey` with `--key FILE`, and the directory of this cluster with `--dir`.',
  },
  'support/sudo-refused': {
    severity: 'error',
    fault: 'the user cannot run sudo without a password',
    why: 'Only root can read the journal and the container logs.',
    fix: 'Log in as `core`, which has this permission.',
  },
  'support/script-missing': {
    severity: 'error',
    fault: 'the node has no `installer-gather.sh`',
    why: 'The script is removed when the cluster is complete.',
    fix: 'If the cluster is complete, use `oc adm must-gather`. Otherwise check that this is the right machine.',
  },
  'support/node-disk-full': {
    severity: 'error',
    fault: 'the node has not enough space for the bundle in /tmp or in the home directory of the user',
    why: 'The live system keeps both in memory, like the images.',
    fix: 'Read the journal on the node, or free some space and run `gather` again.',
    example: '$ ssh core@HOST sudo journalctl --boot',
  },
  'support/gather-failed': {
    severity: 'error',
    fault: 'the gather script of the node failed',
    why: 'The script wrote no bundle.',
    fix: 'Log in and run `/usr/local/bin/installer-gather.sh --id test` to see its error.',
  },
  'support/gather-timeout': {
    severity: 'error',
    fault: 'the bundle was not complete within `--timeout`',
    why: 'The machine may hang, or needs more time.',
    fix: 'Use a longer `--timeout`, or check the machine with `ssh core@HOST uptime`.',
  },
  'support/bundle-cut-off': {
    severity: 'error',
    fault: 'the transfer of the bundle was interrupted',
    why: 'The incomplete bundle was deleted.',
    fix: 'Run the command again.',
  },
} as const satisfies CodeTable;
