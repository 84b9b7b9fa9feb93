import type { CodeTable } from './entry.js';

/** Problems that `inspect` reports for a file. */
export const inspectCodes = {
  'inspect/not-a-config': {
    severity: 'error',
    fault: 'what is inspected is an Ignition config, or a live ISO or initrd overlay',
    why: 'Of anything else nothing could be said.',
    fix: 'Name a file that `create` wrote, or any other Ignition config. `certs` looks at more kinds of files.',
  },
  'inspect/no-config': {
    severity: 'warning',
    fault: 'a medium holds an Ignition config',
    why: 'It boots into a live system that does nothing by itself.',
    fix: 'Embed one: `create single-node-iso --iso LIVE.iso`.',
  },
  'inspect/certificate-ended': {
    severity: 'warning',
    fault: 'no certificate in it has ended',
    why: 'Whoever checks its dates refuses it; a machine that boots with it does not come up.',
    fix: 'Make the config anew with `create … --renew`, which keeps the keys.',
  },
  'inspect/certificate-ends': {
    severity: 'warning',
    fault: 'no certificate in it ends within a week',
    why: 'The installation must be complete before: a config that lies on a shelf is booted too late.',
    fix: 'Boot it soon, or make it anew with `create … --renew`.',
  },
  'inspect/certificate-future': {
    severity: 'warning',
    fault: 'every certificate in it has begun',
    why: 'The clock of this machine is behind, or that of the one that made it was ahead.',
    fix: 'Set the clock that is wrong.',
  },
  'inspect/exposed-secret': {
    severity: 'warning',
    fault: 'files with private keys and logins are for their owner alone',
    why: 'Every process of the node can read them.',
    fix: 'Give the file mode 0600 where the config is made.',
  },
  'inspect/spec-version': {
    severity: 'warning',
    fault: 'a config is written for Ignition spec 3.0.0 to 3.5.0',
    why: 'Ignition refuses a config of a spec that it does not know, and the machine stops in its initramfs.',
    fix: 'Write it for spec 3.2.0, which every release reads.',
  },
  'inspect/ignition': {
    severity: 'warning',
    fault: 'a config is one that Ignition takes whole',
    why: 'Ignition refuses it, or leaves out what it does not know.',
    fix: 'Change the field that is named; `ignition-validate` says the same.',
  },
  'inspect/node': {
    severity: 'warning',
    fault: 'a config leaves its node bootable and online, and each setting has an effect',
    why: 'A node that boots with the config stops, comes up without its network, or ignores the setting.',
    fix: 'Change the field where the config is made, as the hint says.',
  },
  'inspect/absent-unit': {
    severity: 'warning',
    fault: 'a unit that is enabled has its text in the config, or comes with the system',
    why: 'systemd enables nothing where there is no unit of that name, and says so only in its log.',
    fix: 'Add the text of the unit, or leave it out.',
  },
  'inspect/plain-http': {
    severity: 'warning',
    fault: 'what is fetched comes over https, or has a hash',
    why: 'Whoever is on the way may put something else in its place, and the node runs it.',
    fix: 'Fetch it over https, or add `verification.hash`.',
  },
  'inspect/other-version': {
    severity: 'warning',
    fault: 'the scripts in a config of ours are those of this version',
    why: 'It was made by another version of sno-install, or changed since: what docs and `explain` of this one say may not hold.',
    fix: 'Read what that version says, or make the config anew.',
  },
  'inspect/other-machine': {
    severity: 'warning',
    fault: 'an image boots on the machine, and is of the release, that its config is for',
    why: 'The preflight on the node stops, or another release than was tested boots.',
    fix: 'Take the live ISO of the release: `openshift-install coreos print-stream-json` names it.',
  },
  'inspect/too-large': {
    severity: 'warning',
    fault: 'a config takes no more than the 256 KiB of a live ISO after compression',
    why: 'It cannot be embedded into one.',
    fix: 'Boot it over PXE or from a disk image, or make it smaller.',
  },
} as const satisfies CodeTable;

/** Problems of `why`. */
export const whyCodes = {
  'why/unknown': {
    severity: 'error',
    fault: '`why` is asked about something that the target writes',
    why: 'What is not there has no reason; most often it belongs to another target.',
    fix: 'Name the target with `--target`, and look at `inspect` or `render ignition` for what there is.',
  },
} as const satisfies CodeTable;

/** Problems of the certificates that `certs` lists. */
export const certsCodes = {
  'certs/ended': {
    severity: 'error',
    fault: 'with `--warn-before`, no certificate has ended',
    why: 'Whoever checks the dates refuses it: a machine that boots with it does not come up, a server is not believed.',
    fix: 'Issue it anew. Of a config that has not booted yet, `create … --renew` does so from the same keys; a node of ours renews its own.',
  },
  'certs/ends-soon': {
    severity: 'error',
    fault: 'with `--warn-before TIME`, no certificate ends within that time',
    why: 'It is what the option asks for: to be told while there is time to do something.',
    fix: 'Issue it anew before it ends: `create … --renew` for a config that has not booted yet.',
  },
  'certs/unreadable': {
    severity: 'warning',
    fault: 'what says that it is a certificate can be read as one',
    why: 'Nobody can say when it ends, and no program will take it.',
    fix: 'Copy it again, whole: `openssl x509 -in FILE -noout -text` must read it.',
  },
  'certs/none': {
    severity: 'error',
    fault: 'each path that `certs` is given leads to a certificate',
    why: 'A monitor that looks at the wrong file would be silent for ever.',
    fix: 'Name a directory of ours, an Ignition config, a live ISO, a kubeconfig or a PEM file.',
  },
} as const satisfies CodeTable;
