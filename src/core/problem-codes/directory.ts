import type { CodeTable } from './entry.js';

/** Problems of the working directory: state file, lock, outputs. */
export const directoryCodes = {
  'dir/locked': {
    severity: 'error',
    fault: 'another run is working in the directory',
    why: "Concurrent runs would overwrite each other's keys.",
    fix: 'Wait until the other run is finished. Its lock disappears with the process, even after a crash. For a run on another machine this cannot be checked: the message then names the lock file, which you can delete when that run is finished.',
  },
  'dir/state-unreadable': {
    severity: 'error',
    fault: 'the state file is not valid JSON of an earlier run',
    why: 'The file contains the keys of the cluster. Continuing with a damaged file would generate other keys.',
    fix: 'Restore the file from a copy. To start over with other keys, move it away.',
  },
  'dir/state-version': {
    severity: 'error',
    fault: 'the state file was written by a newer version of sno-install',
    why: 'It may contain data that this version does not know and would lose.',
    fix: 'Use the newer sno-install, or start in an empty directory.',
  },
  'dir/kubeconfig-replaced': {
    severity: 'error',
    fault: 'a directory with one kind of cluster would get the kubeconfig of another kind',
    why: '`auth/` and `metadata.json` have the same names for single-node clusters and all-in-one nodes, but other contents. Nothing is written.',
    fix: 'Use a directory for each, or move the files away. The keys stay in the state file, so creating the first target again writes its files again.',
  },
  'dir/state-conflict': {
    severity: 'error',
    fault: '`--state FILE` differs from the state in the directory',
    why: 'Using one of the two would lose the keys of the other.',
    fix: 'Use an empty directory, or run without `--state`.',
  },
  'dir/output-edited': {
    severity: 'error',
    fault: 'an output was changed since the last run',
    why: 'Overwriting it would lose the change.',
    fix: 'Move the file away and run the command again.',
  },
  'dir/file-exists': {
    severity: 'error',
    fault: '`create install-config` would overwrite an existing file',
    why: 'You would lose your config.',
    fix: 'Edit the existing file, or name another directory with `--dir`.',
  },
  'dir/not-writable': {
    severity: 'error',
    fault: 'the directory is not writable',
    why: 'Outputs are written to the directory of the inputs.',
    fix: 'Name a directory that you can write to with `--dir`.',
  },
  'dir/unfinished': {
    severity: 'error',
    fault: 'a run could not write all of its outputs',
    why: 'Something changed during the run, such as a permission. The files that were written do not match the older ones.',
    fix: 'Fix the cause in the message and run the command again: it first completes the outputs.',
  },
  'dir/untrusted': {
    severity: 'error',
    fault:
      'the state file, a record, or a file of an interrupted run is writable by a user other than you and the owner of the directory',
    why: 'These files contain the keys, the machines that were booted, and the list of files to write and remove. Any user with write access controls the cluster.',
    fix: 'If the file is yours, remove the write permission of others (`chmod go-w`) or correct its owner (`chown`). If its origin is unknown, move it away or use another directory.',
  },
  'dir/state-exposed': {
    severity: 'warning',
    fault: 'the state file is readable by users other than its owner',
    why: 'It contains every private key of the cluster. sno-install tried to set its mode to 0600; this failed or had no effect, as on FAT and exFAT.',
    fix: 'Run `chmod 600` on it. On a file system without permissions, mount it for yourself alone (`umask=077`), or encrypt state and outputs.',
  },
  'dir/not-ignored': {
    severity: 'warning',
    fault: 'outputs or boot media with private keys lie in a Git work tree, and Git does not ignore them',
    why: '`git add` would put the keys of the cluster into the history, where every reader of the repository finds them.',
    fix: 'Append the lines of the hint to .gitignore, or encrypt the outputs (`encryptOutputs`). Boot media are never encrypted. If Git already has the files, remove them from the index and create the cluster with new keys.',
  },
  'dir/state-draw': {
    severity: 'error',
    fault: 'a key or another generated value in the state file is damaged or too weak',
    why: 'A cluster cannot start with a damaged key, and is not safe with a weak one.',
    fix: 'Restore the state file from a copy. To start over with other keys, move the state file and the outputs away.',
  },
  'dir/other-cluster': {
    severity: 'error',
    fault: 'the state file belongs to a cluster with another `metadata.name` or `baseDomain`',
    why: 'The two clusters would have the same authorities, keys, passwords and cluster ID, so access to one would give access to both.',
    fix: 'For another cluster, start in a directory that contains only its configs. If you renamed the cluster before its installation, remove `cluster` from the state file; the next run writes the new name.',
  },
  'dir/clock-ahead': {
    severity: 'error',
    fault: 'the certificates in the directory are not valid yet',
    why: 'The clock was ahead when they were issued, or the clock of this machine is behind. A node that boots with them rejects every connection.',
    fix: 'Set the clock. If it is right, `create … --renew` issues the certificates again with the same keys.',
  },
  'dir/certificates-outside': {
    severity: 'warning',
    fault: 'the new certificates are expired or not valid yet',
    why: 'A node that boots with these outputs cannot start its control plane. The usual cause is a SOURCE_DATE_EPOCH in the past or future.',
    fix: 'Correct the clock or SOURCE_DATE_EPOCH and run the command again with `--renew`.',
  },
  'dir/certificates-ending': {
    severity: 'warning',
    fault: 'the certificates expire within a week, or have less than half of a shorter validity left',
    why: 'A machine that boots after they expire needs a new Ignition config.',
    fix: 'Boot the machine soon. Or run the command again with `--renew` and replace the old Ignition config everywhere.',
  },
  'dir/reissued': {
    severity: 'warning',
    fault: 'the certificates were issued again because they were about to expire',
    why: 'A node that boots with expired certificates cannot start its control plane.',
    fix: 'Replace the old Ignition config everywhere, for example in the live ISO. The keys stay the same.',
  },
} as const satisfies CodeTable;
