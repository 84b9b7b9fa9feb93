import type { CodeTable } from './entry.js';

/** Problems of gathering and reading a node's log bundle. */
export const supportCodes = {
  'support/bundle-unreadable': {
    severity: 'error',
    fault: 'what `analyze` is given is a log bundle: a .tar.gz file, or the folder it was unpacked to',
    why: 'Nothing can be said about a file that is empty, of another kind or damaged at its very beginning.',
    fix: 'Copy the bundle again, or make a new one with `sno-install gather --bootstrap HOST`.',
  },
  'support/bundle-too-large': {
    severity: 'error',
    fault: 'a log bundle unpacks to no more than 2 GiB and 100,000 files',
    why: 'A few kilobytes can unpack to more than the machine has; bundles of a node take some 100 MB.',
    fix: 'Unpack it yourself, remove what is not needed, and analyze the folder.',
  },
  'support/not-a-bundle': {
    severity: 'error',
    fault:
      'a log bundle holds service records (`bootstrap/services/*.json`) or journals (`bootstrap/journals/*.log`)',
    why: 'The failed stage and its error are read from them.',
    fix: 'Give the whole bundle, as `gather` or `installer-gather.sh` wrote it, or the folder that it unpacks to.',
  },
  'support/host': {
    severity: 'error',
    fault: '`--bootstrap` names one machine as `[USER@]HOST[:PORT]`',
    why: 'It is handed to ssh, which must not take a part of it for an option.',
    fix: "Write the node's name or address, such as `192.168.126.10`, `core@sno.example.com:2222` or `[fd2e::10]:22`.",
  },
  'support/ssh-missing': {
    severity: 'error',
    fault: 'the program `ssh` is installed and in the PATH',
    why: "The node's log bundle is fetched with it, so that ssh-agent, jump hosts and ssh config work as you know them.",
    fix: 'Install the OpenSSH client, or run `/usr/local/bin/installer-gather.sh --id ID` on the node and copy the file.',
  },
  'support/host-unreachable': {
    severity: 'error',
    fault: 'the node answers on its SSH port',
    why: 'Between the write of the disk and the first boot from it the node is away for some minutes.',
    fix: "Check the address, the port and the route; on the node's console, the address stands above the login prompt.",
  },
  'support/key-refused': {
    severity: 'error',
    fault: 'the node lets user core in with the key of the state file, one of `--key`, or one of ssh-agent',
    why: 'The live system knows the key of the state file and `sshKey` of install-config.yaml; the installed node only the latter.',
    fix: 'Name the private key of `sshKey` with `--key FILE`, and the directory of this cluster with `--dir`.',
  },
  'support/sudo-refused': {
    severity: 'error',
    fault: 'the user may run commands with sudo without a password',
    why: 'The journal and the containers belong to root.',
    fix: 'Log in as `core`, who may.',
  },
  'support/script-missing': {
    severity: 'error',
    fault: '`installer-gather.sh` is on the node',
    why: 'It is there from the boot of the live ISO until the cluster is complete, and is then removed with everything else.',
    fix: 'Is the cluster complete? Then `oc adm must-gather` is the tool. Else make sure that this is the right machine.',
  },
  'support/node-disk-full': {
    severity: 'error',
    fault: 'the node has room for the bundle in /tmp and in the home of the user',
    why: 'In the live system both lie in memory, as the images do.',
    fix: 'Read the journal in place (`ssh core@HOST sudo journalctl --boot`), or make room and gather again.',
  },
  'support/gather-failed': {
    severity: 'error',
    fault: 'the gather script of the node ends without an error',
    why: 'Without it there is no bundle; what could not be collected is no error of the script.',
    fix: 'Log in and run `/usr/local/bin/installer-gather.sh --id test` there to see what it says.',
  },
  'support/gather-timeout': {
    severity: 'error',
    fault: 'the bundle is there within the time of `--timeout`',
    why: 'A machine that hangs would hold this command for ever.',
    fix: 'Give it more time with `--timeout`, or look at the machine: `ssh core@HOST uptime`.',
  },
  'support/bundle-cut-off': {
    severity: 'error',
    fault: 'the bundle arrives whole',
    why: 'A part of it would look like a bundle that lacks logs. Nothing was kept.',
    fix: 'Run the command again.',
  },
} as const satisfies CodeTable;
