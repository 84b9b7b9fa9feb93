import type { CodeTable } from '../entry.js';

/** Problems when booting sites through their BMCs. */
export const bootCodes = {
  'boot/missing': {
    severity: 'error',
    fault: 'fleet.yaml has no `boot` section',
    why: 'The section contains the BMC addresses of the sites.',
    fix: 'Add a `boot` section with `address: ${bmc}`, and a column `bmc` to the table.',
    example: ['boot:', '  address: ${bmc}', '  credentials: bmc.yaml.age'].join('\n'),
  },
  'boot/address': {
    severity: 'error',
    fault:
      'the address of a BMC is not a host, a URL or a metal3 address for Redfish, contains a user or password, or does not use TLS',
    why: 'Credentials are sent to this address.',
    fix: 'Write `https://192.0.2.10`, or `redfish-virtualmedia://192.0.2.10/redfish/v1/Systems/1`. An address without TLS needs `plainHttp: true`.',
  },
  'boot/certificate': {
    severity: 'error',
    fault: '`boot.certificate` is not a SHA-256 fingerprint',
    why: '`fleet boot` compares it with the certificate of the BMC.',
    fix: 'Write the fingerprint that `openssl x509 -noout -fingerprint -sha256` prints. Or copy it from `fleet boot --check` after you have compared it on the BMC itself.',
  },
  'boot/authorities': {
    severity: 'error',
    fault: 'the file of `boot.authorities` contains no PEM certificates',
    why: 'The certificates of the BMCs are verified with these authorities.',
    fix: 'Name a file with PEM certificates below the folder of fleet.yaml.',
  },
  'boot/password': {
    severity: 'error',
    fault:
      'the name of a column suggests that it contains passwords, or `boot.password` is a text instead of a secret',
    why: 'Tables are usually stored in Git as plain text.',
    fix: 'Write users and passwords to an age-encrypted file and name it in `boot.credentials`. Or add a secret with a command to `secrets`, and write its placeholder into `boot.password`.',
  },
  'boot/credentials': {
    severity: 'error',
    fault:
      '`boot.credentials` is not an age-encrypted file with a user and password for each BMC, or `boot.username` and `boot.password` are incomplete',
    why: 'BMCs require credentials, and in a plain file other users could read them.',
    fix: 'docs/fleet-boot.md describes how to write the file. `--credentials-command` gets the credentials from another program.',
  },
  'boot/image': {
    severity: 'error',
    fault: 'a site to boot has no image URL',
    why: 'Its BMC downloads the boot image from this URL.',
    fix: 'Generate the list again for all sites, or exclude the site by `--only`.',
  },
  'boot/record': {
    severity: 'error',
    fault: '`boot.json` was not written by `fleet boot`',
    why: 'The file lists the booted sites. Booting a site again would wipe its disk.',
    fix: 'Restore the file from a copy.',
  },
  'boot/other-site': {
    severity: 'error',
    fault: 'the machine of a site was booted before, as another site or through another BMC address',
    why: 'It may run a cluster, which a boot would erase. Machines are compared by BMC address, system UUID and MAC addresses.',
    fix: 'If the site was renamed, rename it in `boot.json` too. `fleet reinstall` installs the machine again.',
  },
  'boot/changed-hardware': {
    severity: 'warning',
    fault: 'the MAC addresses or the installation disk of a booted site have changed since its boot',
    why: 'The machine may have been replaced; it is not booted because the old one may still run.',
    fix: 'Install a replaced machine with `fleet reinstall`, or with `fleet rollout --retry-failed` if its installation failed.',
  },
  'boot/outdated': {
    severity: 'error',
    fault: 'the medium of a site to boot is outdated or its certificates have expired',
    why: 'The machine would be erased and installed with an old configuration, or the installation would fail.',
    fix: 'Create the outputs again; it keeps the keys. `--allow-outdated` accepts outdated media, but no expired ones.',
  },
  'boot/unreachable': {
    severity: 'error',
    fault: 'the BMC did not answer before the timeout',
    why: 'The site cannot be booted.',
    fix: 'Check address, cable, VLAN and firewall. For a slow BMC use a longer `--timeout`.',
  },
  'boot/untrusted': {
    severity: 'error',
    fault:
      'the certificate of the BMC does not match `boot.certificate`, or is not signed by a trusted authority',
    why: 'An attacker who impersonates the BMC would get its password.',
    fix: 'Compare the fingerprint on the BMC itself and write it as `boot.certificate`.',
  },
  'boot/login': {
    severity: 'error',
    fault:
      'the BMC rejects the user and password, or the user has no permission to mount media and control power',
    why: '`fleet boot` needs these permissions.',
    fix: 'Correct the entry in the file of `boot.credentials`, or give the user the role Operator.',
  },
  'boot/unsupported': {
    severity: 'error',
    fault: 'the BMC does not support Redfish, virtual CDs, one-time boot from CD or power control',
    why: 'The boot needs all four. Some vendors license virtual media separately.',
    fix: 'Check the firmware and license of the BMC, and its address.',
  },
  'boot/refused': {
    severity: 'error',
    fault: 'the BMC refused a command or did not complete it in time',
    why: 'The message contains the answer of the BMC, without secrets.',
    fix: 'Look at the log of the BMC. Usually it cannot reach the URL of the image, or does not trust the certificate of that server.',
  },
} as const satisfies CodeTable;
