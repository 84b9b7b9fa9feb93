import type { CodeTable } from './entry.js';

/** Problems of a fleet: many sites generated from one base configuration. */
export const fleetCodes = {
  'fleet/missing': {
    severity: 'error',
    fault: '`--dir` names a folder with a fleet.yaml',
    why: 'It says where the table of the sites is and what they share.',
    fix: 'Write one; docs/fleet.md shows it.',
  },
  'fleet/path': {
    severity: 'error',
    fault:
      'paths in fleet.yaml lead to something below its folder (keys may lie elsewhere), each to a folder apart from the others',
    why: 'A fleet is one folder of a repository: whoever has it has all of it. Outputs must never be taken for inputs.',
    fix: 'Put the file or folder below that of fleet.yaml, neither in nor around another of them.',
  },
  'fleet/table': {
    severity: 'error',
    fault:
      'the table of the sites is a file of comma-separated values with a header, a list of maps in YAML or JSON, or a folder of ClusterInstances, and has a site',
    why: 'It says which sites there are and what is different in each.',
    fix: 'Mend the line that is named; a spreadsheet is saved as CSV in UTF-8.',
  },
  'fleet/several-nodes': {
    severity: 'warning',
    fault: 'each cluster in the folder of the sites has one node',
    why: 'One of several nodes is none of this fleet; the others of the folder are made all the same.',
    fix: 'Nothing, where that is known: a hub installs it.',
  },
  'fleet/column': {
    severity: 'error',
    fault:
      'each column has a name of its own, of letters, digits, `-` and `_`, a letter first, and no line has more cells than the first',
    why: 'A column is a variable of the base, and a cell that belongs to none is most often one that slipped.',
    fix: 'Name the column, or put the value with a comma in it in double quotes.',
  },
  'fleet/column-unused': {
    severity: 'warning',
    fault: 'each variable stands somewhere in the base or an override',
    why: 'What is in the table and nowhere else changes no site; the placeholder may be mistyped.',
    fix: 'Write `${name}` where the value belongs, or leave the column out.',
  },
  'fleet/site-name': {
    severity: 'error',
    fault: 'each site has a `name`: lower-case letters, digits and `-`, as a part of a domain name',
    why: 'Its folder and its override are called so.',
    fix: 'Give it one, such as `site-1`.',
  },
  'fleet/site-twice': {
    severity: 'error',
    fault: 'no two sites have the same name',
    why: 'They would have one folder and one set of keys.',
    fix: 'Rename one of them, or take the line out that was copied.',
  },
  'fleet/variable': {
    severity: 'error',
    fault: 'each `${variable}` of a file has a value for each site, and `${…}` is the name of one',
    why: 'Nothing else can be put there, and an empty text in a config is found by nobody before the machine boots.',
    fix: 'Fill in the cell, add the column, give a value for all below `variables` in fleet.yaml, or one in place: `${mtu:-1500}`. A `${` that is to stay is written `$${`.',
  },
  'fleet/shared-value': {
    severity: 'error',
    fault: 'no two sites have the same nodeIP, MAC address, BMC, or name and domain',
    why: 'Two machines would answer for one; most often a line was copied and not changed.',
    fix: 'Give each site its own.',
  },
  'fleet/no-base': {
    severity: 'error',
    fault: 'the base holds an install-config.yaml',
    why: 'Every site is made of it.',
    fix: 'Take that of one site, and write `${variables}` where sites differ.',
  },
  'fleet/override': {
    severity: 'error',
    fault: 'each folder of the overrides is called as a site, and its YAML can be read',
    why: 'The site would silently be made without.',
    fix: 'Rename the folder, or mend the file.',
  },
  'fleet/no-site': {
    severity: 'error',
    fault: '`--only` names a site of the table',
    why: 'Nothing would be done, and it would look like success.',
    fix: 'Look at the names in the table; `*` stands for any part of one.',
  },
  'fleet/not-comparable': {
    severity: 'error',
    fault:
      'two folders that are compared are of one kind: fleets and outputs of their sites, or golden trees of fleets',
    why: 'There would be nothing to hold a site against.',
    fix: '`fleet golden --check` compares a fleet with its tree; for single sites there is `diff`.',
  },
} as const satisfies CodeTable;
