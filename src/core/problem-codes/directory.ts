import type { CodeTable } from './entry.js';

/** Problems of the working directory: state file, lock, outputs. */
export const directoryCodes = {
  'dir/locked': {
    severity: 'error',
    rule: 'one run at a time works in a directory',
    why: 'Two runs would write two sets of keys over each other.',
    fix: 'Wait for the other run to end. A lock ends with its process, however that ends; only of a run on another machine nobody can tell, and then the message names the file to delete.',
  },
  'dir/state-unreadable': {
    severity: 'error',
    rule: 'the state file is the JSON that an earlier run wrote',
    why: 'It holds the keys of the cluster; guessing at a damaged one would make others.',
    fix: 'Restore the file from a copy. To start over with other keys, move it away.',
  },
  'dir/state-version': {
    severity: 'error',
    rule: 'the state file was written by this version or an earlier one',
    why: 'A newer version may keep what this one does not know of, and it would be lost.',
    fix: 'Use the newer sno-install, or start in an empty directory.',
  },
  'dir/state-conflict': {
    severity: 'error',
    rule: '`--state FILE` agrees with the state the directory already has',
    why: 'Taking one would throw the keys of the other away.',
    fix: 'Use an empty directory, or leave out `--state`.',
  },
  'dir/output-edited': {
    severity: 'error',
    rule: 'an output is either absent or as the last run wrote it',
    why: 'Writing over it would lose what somebody put there.',
    fix: 'Move the file away, or delete it, and run the command again.',
  },
  'dir/file-exists': {
    severity: 'error',
    rule: '`create install-config` writes a file that is not there yet',
    why: 'The config is yours; a fresh one over it would lose what you wrote.',
    fix: 'Edit the file that is there, or name another directory with `--dir`.',
  },
  'dir/not-writable': {
    severity: 'error',
    rule: 'the directory can be written to',
    why: 'Outputs appear beside the inputs.',
    fix: 'Give a directory of yours with `--dir`.',
  },
  'dir/unfinished': {
    severity: 'error',
    rule: 'what a run decided to write can be put in place',
    why: 'Everything was looked at before, but something changed meanwhile, such as a permission. The files that are in place and those that are missing belong together.',
    fix: 'Mend what the message names and run the command again: it completes the outputs before it does anything else.',
  },
  'dir/untrusted': {
    severity: 'error',
    rule: 'the state file, and what an interrupted run left, can be written by nobody but you and the owner of the directory',
    why: 'They say what is written and removed, and with which keys: who can write them decides about the cluster.',
    fix: 'When the file is yours, take away the write permission of others (`chmod go-w`) or its foreign owner (`chown`). Otherwise delete it, or use another directory.',
  },
  'dir/state-exposed': {
    severity: 'warning',
    rule: 'the state file can be read by its owner alone',
    why: 'It holds every private key of the cluster. Its mode is tightened when it is read; here that was refused.',
    fix: 'Make it `chmod 600`, or keep it on a file system that has permissions.',
  },
  'dir/reissued': {
    severity: 'warning',
    rule: 'certificates are issued again when their boot window is nearly over',
    why: 'A node that boots after that window cannot bring its control plane up.',
    fix: 'Nothing: keys stayed the same. Put the new Ignition config wherever the old one went, such as into the live ISO.',
  },
} as const satisfies CodeTable;
