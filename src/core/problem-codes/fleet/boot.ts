import type { CodeTable } from '../entry.js';

/** Problems when booting sites through their BMCs. */
export const bootCodes = {
  'boot/missing': {
    severity: 'error',
    fault: 'fleet.yaml has no `boot` section',
    why: '`fleet boot` does not know the BMC addresses of the sites.',
    fix: 'Add a `boot` section with `address: ${bmc}`, and a column `bmc` to the table.',
    example: ['boot:', '  address: ${bmc}', '  credentials: bmc.yaml.age'].join('\n'),
  },
  'boot/address': {
    severity: 'error',
    fault:
      'the address of a BMC is not a host, a URL or a metal3 address for Redfish, contains a user or password, or is without TLS',
    why: 'Credentials are sent to this address.',
    fix: 'Write `https://192.0.2.10`, or `redfish-virtualmedia://192.0.2.10/redfish/v1/Systems/1`. An address without TLS needs `plainHttp: true`.',
  },
  'boot/certificate': {
    severity: 'error',
    fault: '`boot.certificate` is not a SHA-256 fingerprint',
    why: 'It is compared with the certificate of the BMC.',
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
    fault: 'a column of the table has a name like that of a password',
    why: 'Tables are stored in Git and read by everybody who works on the sites.',
    fix: 'Write users and passwords to an age-encrypted file and name it in `boot.credentials`.',
  },
  'boot/credentials': {
    severity: 'error',
    fault: '`boot.credentials` is not an age-encrypted file with a user and password for each BMC',
    why: 'Without credentials no BMC accepts a command. In a plain file they could be read by others.',
    fix: 'docs/fleet-boot.md describes how to write the file. `--credentials-command` gets the credentials from another program.',
  },
  'boot/image': {
    severity: 'error',
    fault: 'a site to boot has no URL of an image',
    why: 'Its BMC downloads the boot image from this URL.',
    fix: 'Generate the list again for all sites, or exclude the site by `--only`.',
  },
  'boot/record': {
    severity: 'error',
    fault: '`boot.json` is not a record of `fleet boot`',
    why: 'The record lists the sites that were booted. Booting such a site again would wipe its disk.',
    fix: 'Restore the file from a copy.',
  },
  'boot/unreachable': {
    severity: 'error',
    fault: 'the BMC does not answer in time',
    why: 'The site cannot be booted.',
    fix: 'Check address, cable, VLAN and firewall. For a slow BMC use a longer `--timeout`.',
  },
  'boot/untrusted': {
    severity: 'error',
    fault:
      'the certificate of the BMC is not trusted: not by its fingerprint, `boot.authorities` or a public authority',
    why: 'An attacker in its place would get the password of the BMC.',
    fix: 'Compare the fingerprint on the BMC itself and write it as `boot.certificate`.',
  },
  'boot/login': {
    severity: 'error',
    fault:
      'the BMC rejects the user and password, or does not allow the user to mount media and switch power',
    why: 'The machine cannot be booted without these permissions.',
    fix: 'Correct the entry in the file of `boot.credentials`, or give the user the role of an operator.',
  },
  'boot/unsupported': {
    severity: 'error',
    fault: 'the BMC has no Redfish, virtual CD, one-time boot from it or power control',
    why: 'The boot needs all four. Some vendors license virtual media separately.',
    fix: 'Check firmware and license, and whether the address belongs to the machine.',
  },
  'boot/refused': {
    severity: 'error',
    fault: 'the BMC refused a command or did not complete it in time',
    why: 'The message contains the answer of the BMC, without secrets.',
    fix: 'Look at the log of the BMC. Most often it cannot reach the URL of the image, or does not trust the certificate of that server.',
  },
  'boot/enough': {
    severity: 'error',
    fault: 'the number of failed sites in a wave has reached `--stop-when-failed`',
    why: 'A common cause should be fixed before the other sites are booted.',
    fix: 'Fix the cause, and run the same command again.',
  },
} as const satisfies CodeTable;
