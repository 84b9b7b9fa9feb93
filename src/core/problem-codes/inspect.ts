import type { CodeTable } from './entry.js';

/** Problems that `inspect` reports for a file. */
export const inspectCodes = {
  'inspect/not-a-config': {
    severity: 'error',
    fault: 'the file is not an Ignition config, a live ISO or an initrd overlay',
    why: '`inspect` cannot read other files.',
    fix: 'Name a file that `create` wrote, or another Ignition config. `certs` reads more kinds of files.',
  },
  'inspect/no-config': {
    severity: 'warning',
    fault: 'the image contains no Ignition config',
    why: 'It boots into a live system that does not install anything.',
    fix: 'Embed a config with `sno-install create single-node-iso --iso LIVE.iso`.',
  },
  'inspect/certificate-ended': {
    severity: 'warning',
    fault: 'a certificate in the config has expired',
    why: 'Programs reject it, and a machine that boots with it does not come up.',
    fix: 'Generate the config again with `create … --renew`, which keeps the keys.',
  },
  'inspect/certificate-ends': {
    severity: 'warning',
    fault: 'a certificate in the config expires within a week',
    why: 'The installation must be complete before that. A config that is stored for later use would boot too late.',
    fix: 'Boot the machine soon, or generate the config again with `create … --renew`.',
  },
  'inspect/certificate-future': {
    severity: 'warning',
    fault: 'a certificate in the config is not valid yet',
    why: 'The clock of this machine is behind, or that of the machine that issued the certificate was ahead.',
    fix: 'Set the wrong clock.',
  },
  'inspect/exposed-secret': {
    severity: 'warning',
    fault: 'users other than the owner can read a file with a private key or a login',
    why: 'Every process on the node can read the secret.',
    fix: 'Give the file mode 0600 in the source of the config.',
    example: ['storage:', '  files:', '    - path: /etc/example/key.pem', '      mode: 0600'].join('\n'),
  },
  'inspect/spec-version': {
    severity: 'warning',
    fault: 'the Ignition spec of the config is not 3.0.0 to 3.5.0',
    why: 'Ignition rejects configs of an unknown spec, and the machine stops in its initramfs.',
    fix: 'Write the config for spec 3.2.0, which every release reads.',
  },
  'inspect/ignition': {
    severity: 'warning',
    fault: 'the config does not conform to its Ignition spec',
    why: 'Ignition rejects the config, or ignores fields that it does not know.',
    fix: 'Change the field in the message; `ignition-validate` reports the same.',
  },
  'inspect/node': {
    severity: 'warning',
    fault: 'a setting in the config has no effect, or leaves the node without a working boot disk or network',
    why: 'A node that boots with the config stops, comes up without its network, or ignores the setting.',
    fix: 'Change the field in the source of the config, as the hint says.',
  },
  'inspect/absent-unit': {
    severity: 'warning',
    fault: 'the config enables a unit that neither the config nor the operating system contains',
    why: 'systemd enables nothing for a missing unit, and reports this only in its log.',
    fix: 'Add the contents of the unit, or remove it.',
  },
  'inspect/plain-http': {
    severity: 'warning',
    fault: 'the config downloads a file over http without a hash',
    why: 'Somebody on the network path could replace the file, and the node would use it.',
    fix: 'Use https, or add `verification.hash`.',
  },
  'inspect/other-version': {
    severity: 'warning',
    fault: 'the scripts in the config are not those of this version of sno-install',
    why: 'Another version generated the config, or the scripts were changed. The docs and `explain` of this version may not apply.',
    fix: 'Read the docs of that version, or generate the config again.',
  },
  'inspect/other-machine': {
    severity: 'warning',
    fault: 'the image is for another architecture or release than its config',
    why: 'The preflight on the node stops, or a release boots that was not tested.',
    fix: 'Use the live ISO of the release; `openshift-install coreos print-stream-json` lists its URL.',
  },
  'inspect/too-large': {
    severity: 'warning',
    fault: 'the compressed config is larger than the 256 KiB that a live ISO reserves for it',
    why: 'It cannot be embedded in a live ISO.',
    fix: 'Boot it over PXE or from a disk image, or make it smaller.',
  },
} as const satisfies CodeTable;

/** Problems of `why`. */
export const whyCodes = {
  'why/unknown': {
    severity: 'error',
    fault: 'the target does not write this file, unit or object',
    why: 'There is nothing to explain. Most often it belongs to another target.',
    fix: 'Name the target with `--target`. `inspect` and `render ignition` show what the target writes.',
  },
} as const satisfies CodeTable;

/** Problems of the certificates that `certs` lists. */
export const certsCodes = {
  'certs/ended': {
    severity: 'error',
    fault: 'a certificate has expired',
    why: 'Programs reject it: a machine that boots with it does not come up, and clients do not trust a server that uses it.',
    fix: 'Issue it again. For a config that has not booted yet, `create … --renew` does so with the same keys. A node that sno-install installed renews its own certificates.',
  },
  'certs/ends-soon': {
    severity: 'error',
    fault: 'a certificate expires within the time of `--warn-before`',
    why: 'After that, programs reject it.',
    fix: 'Issue it again before it expires: `create … --renew` for a config that has not booted yet.',
  },
  'certs/unreadable': {
    severity: 'warning',
    fault: 'a PEM block or field for a certificate cannot be parsed',
    why: 'Its expiry date is unknown, and no program will accept it.',
    fix: 'Copy the whole certificate again, so that `openssl` can read it.',
    example: '$ openssl x509 -in FILE -noout -text',
  },
  'certs/none': {
    severity: 'error',
    fault: 'a path for `certs` contains no certificate',
    why: 'Monitoring of the wrong file would never report anything.',
    fix: 'Name a directory of sno-install, an Ignition config, a live ISO, a kubeconfig or a PEM file.',
  },
} as const satisfies CodeTable;
