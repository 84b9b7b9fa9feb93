import type { CodeTable } from '../entry.js';

/** Problems of the packs of a fleet in a store, and of the index of all fleets. */
export const packCodes = {
  'pack/setting': {
    severity: 'error',
    fault:
      '`--shards` or `--recipient` of `fleet pack`, or `--fleet-id` of `fleet create --packed`, is invalid',
    why: 'Pods could not read their packs.',
    fix: 'Write `--shards` from 1 to 10000, `--recipient` as an age recipient, and `--fleet-id` as `fleet pack` prints it.',
  },
  'pack/file': {
    severity: 'error',
    fault: 'a file of the fleet cannot be read',
    why: 'A pack contains all files of the base, and those of the classes and overrides of its sites.',
    fix: 'Correct the file in the message, or move it out of the folder if no site needs it.',
  },
  'pack/too-large': {
    severity: 'error',
    fault: 'a pack is larger than 60 MiB',
    why: 'Pods keep their pack in memory.',
    fix: 'Use more shards, and remove large files that no site needs from the base.',
  },
  'pack/missing': {
    severity: 'error',
    fault: 'the store has no packs, or not the pack of this shard',
    why: 'A pod gets the files of its sites only from there.',
    fix: 'Run `fleet pack` with the same store.',
  },
  'pack/shards': {
    severity: 'error',
    fault: 'the packs are those of another number of shards than the Job',
    why: 'Some sites would be created by no pod.',
    fix: 'Run `fleet pack` and `fleet job` with the same `--shards`.',
  },
  'pack/key': {
    severity: 'error',
    fault: 'no identity decrypts the pack',
    why: 'A pack is encrypted to the recipients of `fleet pack --recipient`, or to those of fleet.yaml.',
    fix: 'Put the identity of one of these recipients into the Secret `NAME-identity`.',
  },
  'pack/program': {
    severity: 'error',
    fault: 'the pack was written by another build of sno-install',
    why: 'Its sites would not match the fleet of the machine that packed it.',
    fix: 'Use an image of the same version as `fleet pack`, or pack again.',
  },
  'pack/fleet': {
    severity: 'error',
    fault: 'the pack has another fleet key than the Job expects',
    why: 'Encryption to a recipient needs no secret. The key proves that the pack comes from the owner of the fleet.',
    fix: 'Pass the fleet ID that `fleet pack` prints. If it is the right one, check who can write to the store.',
  },
  'pack/damaged': {
    severity: 'error',
    fault: 'a pack or the list of packs was changed after it was written',
    why: 'It is not used.',
    fix: 'Check who can write to the store, then run `fleet pack` again.',
  },
  'pack/duplicate': {
    severity: 'error',
    fault: 'another fleet has a site with the same name, node IP, cluster domain, MAC address or BMC',
    why: 'Both sites would install the same machine, or disturb each other in one network.',
    fix: 'Correct the table. Fleets in separate networks can use their own `--index`, or `--no-index`.',
  },
  'pack/index': {
    severity: 'error',
    fault: 'the index of another fleet cannot be read',
    why: 'Duplicates of that fleet would not be found.',
    fix: 'Add an identity of that fleet with `--identity`, or use `--no-index`.',
  },
} as const satisfies CodeTable;
