import type { CodeTable } from './entry.js';

/** Problems when a fleet discovers, boots, reinstalls or upgrades machines, and of the webhook that gets these events. */
export const fleetMachineCodes = {
  'discover/different': {
    severity: 'error',
    fault: 'the table has a MAC address, disk or serial number that the machine of the site does not have',
    why: 'The node would not find its network interface or its installation disk, or the BMC address belongs to another machine.',
    fix: 'Correct the cell, or the BMC address of the site. `fleet discover` never changes a cell with a value, and writes nothing for this site.',
  },
  'discover/undecided': {
    severity: 'warning',
    fault: 'several values of the machine, or none, suit an empty cell',
    why: 'A wrong guess would install to another disk or configure another network interface.',
    fix: 'Choose a value from the lists of `fleet discover` and write it into the table. `rootDeviceHints` such as `minSizeGigabytes`, `model` and `rotational` in sno-config.yaml narrow the choice of the disk; a network interface with a link is preferred.',
    example: [
      'rootDeviceHints:',
      '  serialNumber: ${diskSerial}',
      '  minSizeGigabytes: 400',
      '  rotational: false',
    ].join('\n'),
  },
  'discover/unread': {
    severity: 'warning',
    fault: 'the BMC refused to return a part of the inventory, or failed',
    why: 'The lists of this site may be incomplete, so the part is not compared with the table.',
    fix: 'Give the user the right to read it (the role ReadOnly of Redfish has it), or look at the log of the BMC.',
  },
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
  'rollout/plan': {
    severity: 'error',
    fault: 'rollout.yaml is missing, or a number, duration, time or zone in it is not valid',
    why: 'The plan sets the waves, the failure limit and the time windows.',
    fix: 'Correct the field. `sno-install explain rollout` describes all fields.',
    example: ['wave: 10%', 'failureLimit: 5%', 'until: install-complete'].join('\n'),
  },
  'rollout/selection': {
    severity: 'error',
    fault: '`canary` or `hold` of rollout.yaml names an unknown column, or matches no site of the table',
    why: 'With a misspelled selection, sites would start too early, or although they are on hold.',
    fix: 'Name a column of the table or a variable of fleet.yaml, and a value that a site has. Remove a selection that is not needed.',
  },
  'rollout/state': {
    severity: 'error',
    fault: 'the state file of a rollout was not written by sno-install, or by another operation',
    why: 'The file lists the sites that have started. Booting a site again would wipe its disk.',
    fix: 'Restore the file from a copy.',
  },
  'rollout/site-failed': {
    severity: 'error',
    fault: 'a site could not be started, or did not reach the criterion of the plan in time',
    why: 'The message contains the last answer of its API, the last report of its node or the finding in its log bundle.',
    fix: 'Fix the cause, and run the same command with `--retry-failed`. It starts a site only if it was not started before.',
  },
  'rollout/stopped': {
    severity: 'error',
    fault: 'the number of failed sites in a wave has reached `failureLimit`',
    why: 'The failures may have a common cause that affects the other sites too.',
    fix: 'Fix the cause, and run the same command with `--retry-failed`. To continue without the failed sites, put them on hold or raise the limit in the plan.',
  },
  'reinstall/outdated': {
    severity: 'error',
    fault:
      'the outputs of a site are not up to date, or its certificates expire before the end of the reinstallation',
    why: 'The machine would install an older configuration, or its installation would fail.',
    fix: 'Run `fleet create --only SITE`, which keeps the keys. With `--renew-before 10d` it also issues certificates again.',
  },
  'reinstall/refuse': {
    severity: 'error',
    fault: 'the medium of a site does not overwrite its own installation',
    why: '`reinstall` in sno-config.yaml is `Refuse`, the default. The machine would boot, refuse its disk and wait.',
    fix: 'Set `reinstall: SameCluster` for this site, and run `fleet create` again. Remove the medium after the installation.',
    example: '# overrides/north-1/sno-config.yaml\nreinstall: SameCluster',
  },
  'reinstall/erased': {
    severity: 'warning',
    fault: 'a site keeps no partition, so its disk is erased',
    why: 'The medium replaces all partitions that `coreosInstaller` does not name.',
    fix: 'Set `coreosInstaller.savePartitionLabels` to keep a data partition, and run `fleet create` again.',
  },
  'reinstall/not-confirmed': {
    severity: 'error',
    fault: 'the reinstallation was not confirmed with the names of the sites',
    why: 'A reinstallation destroys the running cluster. No option confirms it for unnamed sites.',
    fix: 'Name exactly the selected sites in `--confirm`, or type them on a terminal.',
    example: '$ sno-install fleet reinstall north-1 north-2 --media urls.json --confirm north-1,north-2',
  },
  'reinstall/keys': {
    severity: 'error',
    fault: 'the keys of a site could not be renewed',
    why: 'The earlier outputs are back in their place, and the machine was not touched.',
    fix: 'Fix the cause in the message, then run the command again.',
  },
  'upgrade/release': {
    severity: 'error',
    fault: 'the pull spec of `--to` cannot be resolved to a digest',
    why: 'The version operator verifies and pulls a release by its digest.',
    fix: 'Write the pull spec with the digest that `oc adm release info RELEASE` prints.',
    example: '--to quay.io/openshift-release-dev/ocp-release:4.20.8-x86_64@sha256:…',
  },
  'upgrade/not-ready': {
    severity: 'error',
    fault: 'a cluster does not meet the conditions of an upgrade',
    why: 'The version operator would reject the request, or the upgrade would not end. Nothing was changed on this site.',
    fix: 'Fix the cause in the message. `fleet upgrade --preflight` checks all sites again.',
  },
  'upgrade/refused': {
    severity: 'error',
    fault: 'the version operator did not accept the release',
    why: 'Its condition ReleaseAccepted is False, for example without a signature or because of a precondition. The request was withdrawn, so the upgrade cannot begin later.',
    fix: 'Fix the cause in the message, then run the command again with `--retry-failed`.',
  },
  'upgrade/superseded': {
    severity: 'error',
    fault: 'the requested release of a cluster was changed during the upgrade',
    why: '`spec.desiredUpdate` of the ClusterVersion no longer names the release of `--to`.',
    fix: 'Find out who changed it: `oc get clusterversion version --output yaml --show-managed-fields`. Then run the command again.',
  },
  'upgrade/incomplete': {
    severity: 'error',
    fault: 'a cluster did not complete the upgrade before `siteTimeout` of the plan',
    why: 'The upgrade continues, or the component in the message blocks it.',
    fix: 'Check the component. Then run the command again with `--retry-failed`: it only waits, because the release is requested.',
  },
  'upgrade/signature': {
    severity: 'warning',
    fault: 'a cluster has no signature of the release',
    why: 'The version operator accepts only signed releases. A connected cluster downloads the signature; a disconnected one rejects the release.',
    fix: 'In a disconnected cluster, apply the signature ConfigMap that `oc-mirror` or `oc adm release mirror` writes. Or set `spec.signatureStores` of the ClusterVersion.',
  },
  'webhook/address': {
    severity: 'error',
    fault: 'the URL of `--webhook` is not an https URL, or contains a user or password',
    why: 'Events name sites and the causes of failures, and the token is sent with them.',
    fix: 'Use https; http is allowed only for 127.0.0.1, ::1 and localhost. Write the token to a file for `--webhook-token-file`.',
  },
  'webhook/failed': {
    severity: 'warning',
    fault: 'the receiver of `--webhook` did not get all events',
    why: 'Events never delay a rollout: after five attempts an event is dropped.',
    fix: 'Read the state of all sites from the state file in the output folder. Check the receiver before the next rollout.',
  },
} as const satisfies CodeTable;
