import type { CodeTable } from './entry.js';

/** Problems that `inspect` reports for a file. */
export const inspectCodes = {
  'inspect/not-a-config': {
    severity: 'error',
    fault: 'the file is not an Ignition config, a live ISO or an initrd overlay',
    why: '`inspect` reads only these kinds of files.',
    fix: 'Name a file that `create` wrote, or another Ignition config. `certs` reads more kinds of files.',
  },
  'inspect/no-config': {
    severity: 'warning',
    fault: 'the image contains no Ignition config',
    why: 'A machine that boots it only starts a live system, without an installation.',
    fix: 'Embed a config with `sno-install create iso --iso LIVE.iso`.',
  },
  'inspect/outdated-outputs': {
    severity: 'warning',
    fault: 'the Ignition configs in a directory do not match its configuration',
    why: 'The configuration was changed after the outputs were created. A medium made from them installs the earlier settings.',
    fix: 'Run `create` again, then create the medium again.',
  },
  'inspect/certificate-ended': {
    severity: 'warning',
    fault: 'a certificate in the config has expired',
    why: 'Programs reject it, so a machine that boots with it does not come up.',
    fix: 'Generate the config again with `create … --renew`, which keeps the keys.',
  },
  'inspect/certificate-ends': {
    severity: 'warning',
    fault: 'a certificate in the config expires within a week',
    why: 'The installation must be complete before that date.',
    fix: 'Boot the machine soon, or generate the config again with `create … --renew`.',
  },
  'inspect/certificate-future': {
    severity: 'warning',
    fault: 'a certificate in the config is not valid yet',
    why: 'The clock of this machine is behind, or the clock of the machine that issued the certificate was ahead.',
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
    fault: 'the Ignition version of the config is not between 3.0.0 and 3.5.0',
    why: 'Ignition rejects configs of an unknown version, and the machine stops in its initramfs.',
    fix: 'Write the config for spec 3.2.0, which every release reads.',
  },
  'inspect/ignition': {
    severity: 'warning',
    fault: 'the config does not conform to its Ignition spec',
    why: 'Ignition rejects the config, or ignores unknown fields.',
    fix: 'Change the field in the message; `ignition-validate` reports the same.',
  },
  'inspect/node': {
    severity: 'warning',
    fault: 'a setting in the config has no effect, or leaves the node without a working boot disk or network',
    why: 'A node that boots with the config stops, comes up without its network, or ignores the setting.',
    fix: 'Follow the hint in the source of the config.',
  },
  'inspect/absent-unit': {
    severity: 'warning',
    fault: 'the config enables a unit that neither the config nor the operating system contains',
    why: 'systemd ignores a missing unit, and reports this only in its log.',
    fix: 'Add the contents of the unit, or remove it.',
  },
  'inspect/plain-http': {
    severity: 'warning',
    fault: 'the config downloads a file over http without a hash',
    why: 'An attacker on the network could replace the file.',
    fix: 'Use https, or add `verification.hash`.',
  },
  'inspect/other-version': {
    severity: 'warning',
    fault: 'the scripts in the config differ from those of this version of sno-install',
    why: 'Another version generated the config, or the scripts were changed. The documentation of this version may not apply.',
    fix: 'Read the documentation of the other version, or generate the config again.',
  },
  'inspect/other-machine': {
    severity: 'warning',
    fault: 'the image is for another architecture or release than its config',
    why: 'The preflight on the node fails, or an untested combination boots.',
    fix: 'Use the live ISO of the release; `sno-install media download` gets it.',
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
  'why/fleet-site': {
    severity: 'error',
    fault: 'the directory contains the outputs of a site of a fleet',
    why: 'The inputs of the site are in the base, the table and the overrides of the fleet, not in its output directory.',
    fix: 'Run `sno-install fleet why SITE PATH --dir FLEET`.',
  },
  'why/unknown': {
    severity: 'error',
    fault: 'the target does not write this file, unit or object',
    why: '`why` explains only files of the target. The file usually belongs to another target.',
    fix: 'Name the target with `--target`. `inspect` and `render ignition` list the files of the target.',
  },
} as const satisfies CodeTable;

/** Problems of the certificates that `certs` lists. */
export const certsCodes = {
  'certs/ended': {
    severity: 'error',
    fault: 'a certificate has expired',
    why: 'Programs reject it. A machine that boots with it does not come up, and clients do not trust a server that uses it.',
    fix: 'Run `create … --renew` if the config has not booted; it keeps the keys. An installed node renews its own certificates. Renew other certificates with the tool that issued them.',
  },
  'certs/ends-soon': {
    severity: 'error',
    fault: 'a certificate expires within the time of `--warn-before`',
    why: 'After that, programs reject it.',
    fix: 'Renew it before that date; for a config that has not booted, run `create … --renew`.',
  },
  'certs/unreadable': {
    severity: 'warning',
    fault: 'a PEM block or field for a certificate cannot be parsed',
    why: 'Programs reject it, and its expiry date is unknown.',
    fix: 'Copy the whole certificate again. `openssl x509` must be able to read it.',
    example: '$ openssl x509 -in FILE -noout -text',
  },
  'certs/not-searched': {
    severity: 'warning',
    fault:
      'something in a folder for `certs` is neither a file nor a folder, or a folder has the name of an output',
    why: 'Its certificates are not listed, and monitoring would not report that one expires.',
    fix: 'Restore the file or the target of the link, or remove it.',
  },
  'certs/none': {
    severity: 'error',
    fault: 'a path for `certs` contains no certificate',
    why: 'If a wrong path were ignored, monitoring would never report an expiring certificate.',
    fix: 'Name an output directory of sno-install, an Ignition config, a live ISO, a kubeconfig or a PEM file.',
  },
} as const satisfies CodeTable;
