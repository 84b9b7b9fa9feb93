import type { CodeTable } from '../entry.js';

/** Problems when booting sites through their BMCs. */
export const bootCodes = {
  'boot/missing': {
    severity: 'error',
    fault: 'fleet.yaml says under `boot` how the BMCs of the sites are reached',
    why: '`fleet boot` has nobody to ask otherwise.',
    fix: 'Write `boot:` with `address: ${bmc}`, and a column `bmc` in the table.',
  },
  'boot/address': {
    severity: 'error',
    fault:
      'the address of a BMC is a host, a URL, or one of metal3 for Redfish, without user and password, and with TLS unless `plainHttp` is set',
    why: 'What stands there is where credentials are sent.',
    fix: 'Write `https://192.0.2.10`, or `redfish-virtualmedia://192.0.2.10/redfish/v1/Systems/1`.',
  },
  'boot/certificate': {
    severity: 'error',
    fault: '`boot.certificate` is the SHA-256 of a certificate',
    why: 'It is compared with what the BMC shows.',
    fix: 'Take it from `openssl x509 -noout -fingerprint -sha256`, or from what `fleet boot --check` prints, compared on the BMC itself.',
  },
  'boot/authorities': {
    severity: 'error',
    fault: '`boot.authorities` names a file with certificates in PEM',
    why: 'BMCs are believed by them.',
    fix: 'Name a file below the folder of fleet.yaml.',
  },
  'boot/password': {
    severity: 'error',
    fault: 'no column of the table is called as one that holds passwords',
    why: 'A table lies in Git and on desks, and everybody who makes sites reads it.',
    fix: 'Write users and passwords into a file that is encrypted by age, and name it as `boot.credentials`.',
  },
  'boot/credentials': {
    severity: 'error',
    fault: '`boot.credentials` names a file encrypted by age with a user and a password for each BMC',
    why: 'Nobody enters a BMC without, and such a file as plain text would be found.',
    fix: 'docs/fleet-boot.md shows how it is written; `--credentials-command` takes it from elsewhere.',
  },
  'boot/image': {
    severity: 'error',
    fault: 'each site that is booted has the URL of an image',
    why: 'Its BMC fetches what it boots from there.',
    fix: 'List all sites anew, or leave some out by `--only`.',
  },
  'boot/record': {
    severity: 'error',
    fault: '`boot.json` is a record that `fleet boot` wrote',
    why: 'It says which sites were booted: to boot one again wipes its disk.',
    fix: 'Restore it from a copy.',
  },
  'boot/unreachable': {
    severity: 'error',
    fault: 'the BMC answers in time',
    why: 'Nothing can be asked of it otherwise.',
    fix: 'Look at address, cable, VLAN and firewall; give a slow one more time by `--timeout`.',
  },
  'boot/untrusted': {
    severity: 'error',
    fault:
      'the BMC shows a certificate that is believed: by its fingerprint, an authority of `boot.authorities`, or a public one',
    why: 'Who answers in its place would get its password.',
    fix: 'Compare the fingerprint on the BMC itself and write it as `boot.certificate`.',
  },
  'boot/login': {
    severity: 'error',
    fault: 'the BMC takes the user and the password, and lets that user mount media and switch power',
    why: 'It does nothing for strangers.',
    fix: 'Mend the entry in the file of `boot.credentials`; give the user the role of an operator.',
  },
  'boot/unsupported': {
    severity: 'error',
    fault: 'the BMC speaks Redfish, has a virtual CD, can boot from it once, and switches power',
    why: 'The boot needs all four; virtual media is a matter of a licence with some vendors.',
    fix: 'Look at firmware and licence, and whether the address names the machine.',
  },
  'boot/refused': {
    severity: 'error',
    fault: 'the BMC does what it is asked, in time',
    why: 'Its own words are in the message, as far as they hold no secret.',
    fix: 'Look at its log; most often it cannot reach the URL of the image, or does not believe the certificate there.',
  },
  'boot/enough': {
    severity: 'error',
    fault: 'fewer sites of a wave fail than `--stop-when-failed` says',
    why: 'What many have in common is mended once, before the rest is begun.',
    fix: 'Mend it, and run the same command again.',
  },
} as const satisfies CodeTable;
