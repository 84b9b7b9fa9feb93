import type { CodeTable } from './entry.js';

/** Problems of the working directory: state file, lock, outputs. */
export const directoryCodes = {
  'dir/locked': {
    severity: 'error',
    fault: 'one run at a time works in a directory',
    why: 'Two runs would write two sets of keys over each other.',
    fix: 'Wait for the other run to end. A lock ends with its process, however that ends; only of a run on another machine nobody can tell, and then the message names the file to delete.',
  },
  'dir/state-unreadable': {
    severity: 'error',
    fault: 'the state file is the JSON that an earlier run wrote',
    why: 'It holds the keys of the cluster; guessing at a damaged one would make others.',
    fix: 'Restore the file from a copy. To start over with other keys, move it away.',
  },
  'dir/state-version': {
    severity: 'error',
    fault: 'the state file was written by this version or an earlier one',
    why: 'A newer version may keep what this one does not know of, and it would be lost.',
    fix: 'Use the newer sno-install, or start in an empty directory.',
  },
  'dir/state-conflict': {
    severity: 'error',
    fault: '`--state FILE` agrees with the state the directory already has',
    why: 'Taking one would throw the keys of the other away.',
    fix: 'Use an empty directory, or leave out `--state`.',
  },
  'dir/output-edited': {
    severity: 'error',
    fault: 'an output is either absent or as the last run wrote it',
    why: 'Writing over it would lose what somebody put there.',
    fix: 'Move the file away, or delete it, and run the command again.',
  },
  'dir/file-exists': {
    severity: 'error',
    fault: '`create install-config` writes a file that is not there yet',
    why: 'The config is yours; a fresh one over it would lose what you wrote.',
    fix: 'Edit the file that is there, or name another directory with `--dir`.',
  },
  'dir/not-writable': {
    severity: 'error',
    fault: 'the directory can be written to',
    why: 'Outputs appear beside the inputs.',
    fix: 'Give a directory of yours with `--dir`.',
  },
  'dir/unfinished': {
    severity: 'error',
    fault: 'what a run decided to write can be put in place',
    why: 'Everything was looked at before, but something changed meanwhile, such as a permission. The files that are in place and those that are missing belong together.',
    fix: 'Mend what the message names and run the command again: it completes the outputs before it does anything else.',
  },
  'dir/untrusted': {
    severity: 'error',
    fault:
      'the state file, and what an interrupted run left, can be written by nobody but you and the owner of the directory',
    why: 'They say what is written and removed, and with which keys: who can write them decides about the cluster.',
    fix: 'When the file is yours, take away the write permission of others (`chmod go-w`) or its foreign owner (`chown`). Otherwise delete it, or use another directory.',
  },
  'dir/state-exposed': {
    severity: 'warning',
    fault: 'the state file can be read by its owner alone',
    why: 'It holds every private key of the cluster. Its mode is tightened when it is read; here that was refused, or had no effect, as on FAT and exFAT.',
    fix: 'Make it `chmod 600`. On a file system without permissions, mount it for yourself alone (`umask=077`), or encrypt state and outputs.',
  },
  'dir/state-draw': {
    severity: 'error',
    fault: 'each key and other draw in the state file is whole, and as strong as what it is for asks',
    why: 'A damaged key gives a cluster that cannot start; a weak one gives a cluster that is not safe.',
    fix: 'Restore the state file from a copy. To start over with other keys, move it away, with the outputs made from it.',
  },
  'dir/other-cluster': {
    severity: 'error',
    fault:
      'a state file serves one cluster: the one with the `metadata.name` and `baseDomain` it was made for',
    why: 'Two sites copied from one directory would have the same authorities, keys, passwords and cluster id: who holds one holds both.',
    fix: 'For another cluster, begin in a directory with nothing but its configs. If the cluster was only renamed before it was installed, take `cluster` out of the state file; the next run puts the new name in.',
  },
  'dir/clock-ahead': {
    severity: 'error',
    fault: 'the certificates of the directory have begun to hold',
    why: 'They were issued by a clock that ran ahead, or the clock of this machine is behind. A node that boots with them refuses every connection.',
    fix: 'Set the clock. If it is right, `create … --renew` issues the certificates anew from the same keys.',
  },
  'dir/certificates-outside': {
    severity: 'warning',
    fault: 'the certificates hold now',
    why: 'A node that boots now with what was written cannot bring its control plane up. It happens with a SOURCE_DATE_EPOCH of long ago, or of the future.',
    fix: 'Set the clock or SOURCE_DATE_EPOCH right and run the command again with `--renew`.',
  },
  'dir/certificates-ending': {
    severity: 'warning',
    fault: 'at least a week, or half of a shorter validity, is left of the certificates',
    why: 'A machine that is not booted by then has to get another Ignition config.',
    fix: 'Boot it soon, or run the command again with `--renew` and put the new Ignition config wherever the old one went.',
  },
  'dir/reissued': {
    severity: 'warning',
    fault: 'certificates are issued again when their boot window is nearly over',
    why: 'A node that boots after that window cannot bring its control plane up.',
    fix: 'Nothing: keys stayed the same. Put the new Ignition config wherever the old one went, such as into the live ISO.',
  },
} as const satisfies CodeTable;
