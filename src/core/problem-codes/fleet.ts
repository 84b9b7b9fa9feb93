import type { CodeTable } from './entry.js';

/** Problems of a fleet: many sites generated from one base configuration, and their outputs. */
export const fleetCodes = {
  'fleet/missing': {
    severity: 'error',
    fault: 'the folder in `--dir` has no fleet.yaml',
    why: 'fleet.yaml refers to the site table and contains the common values.',
    fix: 'Write a fleet.yaml, as docs/fleet.md describes.',
  },
  'fleet/path': {
    severity: 'error',
    fault: 'a path in fleet.yaml leads out of its folder, or overlaps another path',
    why: 'A copy of the folder must contain the complete fleet (except the keys), and outputs must not be read as inputs.',
    fix: 'Move the file or folder below the folder of fleet.yaml, so that no path contains another one.',
  },
  'fleet/table': {
    severity: 'error',
    fault:
      'the site table is empty, or is not CSV with a header, a YAML or JSON list of maps, or a folder of ClusterInstances',
    why: 'The table lists the sites and their values.',
    fix: 'Correct the line in the message. Save a spreadsheet as CSV in UTF-8.',
    example: [
      'name,ip,mac',
      'north-1,10.1.1.10,52:54:00:00:01:0a',
      'north-2,10.1.2.10,52:54:00:00:01:0b',
    ].join('\n'),
  },
  'fleet/several-nodes': {
    severity: 'warning',
    fault: 'a cluster in the folder of the sites has more than one node',
    why: 'sno-install skips this cluster and processes the others.',
    fix: 'Ignore the warning if a hub installs this cluster.',
  },
  'fleet/column': {
    severity: 'error',
    fault: 'a column of the table has an invalid or duplicate name, or a line has more cells than the header',
    why: 'Each column is a variable of the base. An extra cell usually means that values are in the wrong columns.',
    fix: 'Use letters, digits, `-` and `_` in column names, with a letter first. Put a value that contains a comma in double quotes.',
    example: ['name,ntp', 'north-1,"time1.example.com,time2.example.com"'].join('\n'),
  },
  'fleet/column-unused': {
    severity: 'warning',
    fault:
      'a column is not used as a variable, and its name differs in one letter from one that is; or a variable of fleet.yaml is not used',
    why: 'It has no effect; perhaps the placeholder is misspelled. Other unused columns are not reported: tables often serve other tools too.',
    fix: 'Write `${name}` where the value belongs, rename the column, or delete it.',
    example: ['hostname: ${name}', 'nodeIP: ${ip}'].join('\n'),
  },
  'fleet/site-name': {
    severity: 'error',
    fault:
      'a site has no `name`, or its name contains characters other than lower-case letters, digits and `-`',
    why: 'It is the name of the folder and the override of the site.',
    fix: 'Write a name such as `site-1`.',
  },
  'fleet/site-twice': {
    severity: 'error',
    fault: 'two sites have the same name',
    why: 'They would share one folder and one set of keys.',
    fix: 'Rename one of them, or delete the duplicate line.',
  },
  'fleet/variable': {
    severity: 'error',
    fault: 'a `${variable}` in a file has no value for a site, or an invalid name',
    why: 'An empty value would make the config invalid.',
    fix: 'Fill in the cell, add the column, or set a value for all sites below `variables` in fleet.yaml. Or write a default: `${mtu:-1500}`. Write `$${` for a literal `${`.',
    example: ['variables:', '  ntp: ntp.example.com'].join('\n'),
  },
  'fleet/secret': {
    severity: 'error',
    fault:
      'the command of a secret in fleet.yaml failed, took more than a minute, printed no text, or was not run because another user controls the file; its name is also that of a variable, or a variable of a class contains a secret',
    why: 'The site needs the value. Output and errors of the command are never shown, since they may contain secrets.',
    fix: 'Run the command in the message yourself for one site. It runs without a shell and without input. Read the commands in a fleet of others before you add `--allow-commands`.',
    example: [
      'secrets:',
      '  pullSecret:',
      '    command: [vault, kv, get, -field=value, "secret/sites/${name}"]',
    ].join('\n'),
  },
  'fleet/shared-value': {
    severity: 'error',
    fault:
      'two sites have the same nodeIP, MAC address, BMC, World Wide Name of the disk, or name and domain',
    why: 'Two machines would have the same address or name, or one of them does not have the disk. Usually a line was copied and not changed.',
    fix: 'Give each site its own value.',
  },
  'fleet/shared-serial': {
    severity: 'warning',
    fault: 'two sites have the same serial number of the disk',
    why: 'A machine without this disk does not install. Usually a line was copied and not changed; virtual machines may share a chosen serial number.',
    fix: 'Give each site the serial number of its disk, as `lsblk --output SERIAL` prints it.',
  },
  'fleet/no-base': {
    severity: 'error',
    fault: 'the base has no install-config.yaml',
    why: 'Every site is generated from it.',
    fix: 'Copy the install-config.yaml of one site into the base, and replace values that differ between sites by variables such as `${name}`.',
  },
  'fleet/override': {
    severity: 'error',
    fault: 'a folder in the overrides does not match a site, or contains invalid YAML',
    why: 'The site would be generated without its override.',
    fix: 'Rename the folder, or correct the file.',
  },
  'fleet/class': {
    severity: 'error',
    fault: 'a class of a site has no folder below `classes/`, or contains invalid YAML',
    why: 'The site would be generated without the settings of its class.',
    fix: 'Correct the value in the table, create the folder, or correct the file. Write `"${region:-}"` in fleet.yaml if some sites have no such class.',
    example: ['classes: ["${hardware}", "${region:-}"]'].join('\n'),
  },
  'fleet/class-variable': {
    severity: 'error',
    fault:
      'variables.yaml of a class sets a variable that it cannot set, such as a column of the table, or a file with such a name is not read',
    why: 'A variable has one source in each layer, and a file that is not read would have no effect.',
    fix: 'Rename or remove the variable or the file in the message. Only `classes/NAME/variables.yaml` is read: a plain map of names to values.',
    example: ['# classes/r750/variables.yaml', 'numVfs: 8', 'ntp: [ntp1.example.com, ntp2.example.com]'].join(
      '\n',
    ),
  },
  'fleet/merge': {
    severity: 'error',
    fault: 'a list with `$merge: KEY` cannot be merged with the list of the layer below',
    why: 'The items of the class or the override would be lost, or replace the wrong ones.',
    fix: 'Give each item of both lists the key, once. Remove `$merge` to replace the whole list.',
    example: [
      'interfaces:',
      '  - $merge: name',
      '  - name: eno1',
      '    mtu: 9000',
      '  - name: eno2',
      '    $patch: delete',
    ].join('\n'),
  },
  'fleet/class-unused': {
    severity: 'warning',
    fault: 'a folder below `classes/` is the class of no site',
    why: 'It has no effect; perhaps its name is misspelled, or `classes` is missing in fleet.yaml.',
    fix: 'Write its name into the table, or delete the folder.',
  },
  'fleet/raw-unused': {
    severity: 'warning',
    fault: 'a pattern of `raw` in fleet.yaml matches no file',
    why: 'The file that it was written for is read with variables.',
    fix: 'Correct the path; it is relative to the folder of fleet.yaml.',
    example: ['raw:', '  - base/manifests/ptp-operator.yaml', '  - classes/*/openshift/'].join('\n'),
  },
  'fleet/no-site': {
    severity: 'error',
    fault: '`--only` or `--where` matches no site of the table',
    why: 'The command would have no site to work on.',
    fix: 'Compare the name or the values with the table; `*` matches any part of them.',
  },
  'fleet/not-comparable': {
    severity: 'error',
    fault: 'the two folders are of different kinds: fleets with outputs, or golden trees',
    why: 'Their sites cannot be compared.',
    fix: 'Compare a fleet with its golden tree by `fleet golden --check`, and single sites by `diff`.',
  },
  'fleet/not-made': {
    severity: 'error',
    fault: 'a site has no outputs yet',
    why: 'Without outputs the command cannot check this site.',
    fix: 'Run `sno-install fleet create`, or exclude the site by `--only`.',
  },
  'fleet/outdated': {
    severity: 'error',
    fault: 'the outputs of a site do not match the current files of its fleet',
    why: 'The boot medium would install an outdated configuration, or its certificates have expired.',
    fix: 'Run `sno-install fleet create`, then the same command again.',
  },
  'fleet/output-gone': {
    severity: 'error',
    fault: 'an output is missing from the folder of its site',
    why: 'The command cannot check the missing file.',
    fix: 'Run `sno-install fleet create`; it writes an identical file.',
  },
  'fleet/output-changed': {
    severity: 'warning',
    fault: 'an output of a site was changed by hand',
    why: 'The result describes the changed file, not the one that `fleet create` wrote.',
    fix: 'Move the file away and run `sno-install fleet create`, which writes it again.',
  },
  'fleet/output-unreadable': {
    severity: 'error',
    fault: 'an output of a site cannot be read',
    why: 'The result does not include the file.',
    fix: 'Check its permissions. If the file is damaged, move it away and run `sno-install fleet create`.',
  },
} as const satisfies CodeTable;
