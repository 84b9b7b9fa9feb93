import type { CodeTable } from '../entry.js';

/** Problems of `fleet reinstall`. */
export const reinstallCodes = {
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
} as const satisfies CodeTable;
