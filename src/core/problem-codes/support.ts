import type { CodeTable } from './entry.js';

/** Problems of gathering and reading a node's log bundle. */
export const supportCodes = {
  'support/bundle-unreadable': {
    severity: 'error',
    fault: 'the file for `analyze` is not a log bundle',
    why: 'A log bundle is a .tar.gz file, or its unpacked folder. This file is empty, of another kind or damaged at its beginning.',
    fix: 'Copy the bundle again, or create a new one with `sno-install gather --bootstrap HOST`.',
  },
  'support/bundle-too-large': {
    severity: 'error',
    fault: 'the log bundle unpacks to more than 2 GiB or 100,000 files',
    why: 'A few kilobytes can unpack to more than the machine can store. Bundles of a node have about 100 MB.',
    fix: 'Unpack it yourself, remove the files you do not need, and analyze the folder.',
  },
  'support/not-a-bundle': {
    severity: 'error',
    fault:
      'the archive or folder has no service records (`bootstrap/services/*.json`) and no journals (`bootstrap/journals/*.log`)',
    why: 'The failed stage and its error are read from these files.',
    fix: 'Use the whole bundle that `gather` or `installer-gather.sh` wrote, or the folder it unpacks to.',
  },
  'support/host': {
    severity: 'error',
    fault: '`--bootstrap` is not a machine in the form `[USER@]HOST[:PORT]`',
    why: 'The value is passed to ssh, which must not read a part of it as an option.',
    fix: 'Write the name or address of the node.',
    example: [
      '$ sno-install gather --bootstrap core@sno.example.com:2222',
      "$ sno-install gather --bootstrap '[fd2e::10]:22'",
    ].join('\n'),
  },
  'support/ssh-missing': {
    severity: 'error',
    fault: 'the program `ssh` is not in the PATH',
    why: '`gather` fetches the log bundle with it, so that ssh-agent, jump hosts and your ssh config work.',
    fix: 'Install the OpenSSH client, or run `/usr/local/bin/installer-gather.sh --id ID` on the node and copy the file.',
  },
  'support/host-unreachable': {
    severity: 'error',
    fault: 'the node does not answer on its SSH port',
    why: 'Between the write of the disk and the first boot from it, the node is offline for some minutes.',
    fix: 'Check the address, the port and the route. The console of the node shows its address above the login prompt.',
  },
  'support/key-refused': {
    severity: 'error',
    fault:
      'the node accepts no key for the user core: neither that of the state file, nor one of `--key` or ssh-agent',
    why: 'The live system accepts the key of the state file and `sshKey` of install-config.yaml; the installed node accepts only `sshKey`.',
    fix: 'Name the private key of `sshKey` with `--key FILE`, and the directory of this cluster with `--dir`.',
  },
  'support/sudo-refused': {
    severity: 'error',
    fault: 'the user cannot run sudo without a password',
    why: 'Only root can read the journal and the container logs.',
    fix: 'Log in as `core`, which can.',
  },
  'support/script-missing': {
    severity: 'error',
    fault: 'the node has no `installer-gather.sh`',
    why: 'The script exists from the boot of the live ISO until the cluster is complete, and is then removed.',
    fix: 'If the cluster is complete, use `oc adm must-gather`. Otherwise check that this is the right machine.',
  },
  'support/node-disk-full': {
    severity: 'error',
    fault: 'the node has not enough space for the bundle in /tmp or in the home directory of the user',
    why: 'In the live system both are in memory, as the images are.',
    fix: 'Read the journal on the node, or free some space and gather again.',
    example: '$ ssh core@HOST sudo journalctl --boot',
  },
  'support/gather-failed': {
    severity: 'error',
    fault: 'the gather script of the node failed',
    why: 'There is no bundle. Logs that could not be collected do not make the script fail.',
    fix: 'Log in and run `/usr/local/bin/installer-gather.sh --id test` to see its error.',
  },
  'support/gather-timeout': {
    severity: 'error',
    fault: 'the bundle was not complete within `--timeout`',
    why: 'Without a limit, the command would wait forever for a machine that hangs.',
    fix: 'Use a longer `--timeout`, or check the machine with `ssh core@HOST uptime`.',
  },
  'support/bundle-cut-off': {
    severity: 'error',
    fault: 'the bundle was only partly received',
    why: 'An incomplete bundle would look like one without some logs, so nothing was kept.',
    fix: 'Run the command again.',
  },
} as const satisfies CodeTable;
