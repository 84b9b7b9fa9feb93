import type { CodeTable } from './entry.js';

/** Problems of an encrypted state file, and of encrypting one. */
export const stateCodes = {
  'state/no-identity': {
    severity: 'error',
    fault: 'an encrypted state file, or output, comes with what opens it',
    why: 'A state file holds the keys of the cluster, and nothing can be made without them; an output can be read in no other way.',
    fix: 'Name the file with the identity by `--identity`, or the one with the passphrase by `--passphrase-file`; on a terminal the passphrase is asked for. Where another program holds the key, have it open the state: `--state-command`.',
  },
  'state/not-read': {
    severity: 'warning',
    fault: '`validate`, `preflight` and `images` read the state, or are told here what they do without',
    why: 'Inputs can be judged without the keys of the cluster, where nobody should have them: in CI, say. What kept keys and certificates are good for, whether outputs and generated manifests were changed by hand, and whether the state is of this cluster, only the state tells.',
    fix: 'Nothing need be done. Name what opens it by `--identity` or `--passphrase-file`, or where it is kept by `--state-command`, to have that judged, too; `create` never goes without.',
  },
  'state/wrong-identity': {
    severity: 'error',
    fault: 'one of the identities, or the passphrase, opens the state file, or the output',
    why: 'It was encrypted to others.',
    fix: 'Ask one of those to whom it is encrypted for `state rotate` with your recipient, or name another identity.',
  },
  'state/identity': {
    severity: 'error',
    fault: 'a file of `--identity` holds identities of age, and one of `--passphrase-file` a passphrase',
    why: 'Anything else opens nothing.',
    fix: 'Name the file that `age-keygen` wrote. SSH keys and plugins are not read: have `age` itself open the state, by `--state-command`.',
  },
  'state/passphrase': {
    severity: 'error',
    fault: 'a passphrase is typed on a terminal, in one line that is not empty, and a new one twice',
    why: 'What is mistyped unseen could not be opened again.',
    fix: 'Run the command again. Where there is no terminal, name a file with the passphrase by `--passphrase-file`, or `-` for stdin.',
  },
  'state/recipient': {
    severity: 'error',
    fault: 'a recipient is the public key of an identity of age, beginning with `age1`',
    why: 'The state could not be encrypted, or nobody could open it again.',
    fix: 'Write what `age-keygen -y FILE` prints. SSH keys and recipients of plugins are not encrypted to.',
  },
  'state/no-recipients': {
    severity: 'error',
    fault: 'something says to whom a state file is encrypted, and outputs that are to be',
    why: 'What was encrypted is never written as plain text again unless `state decrypt` says so.',
    fix: 'Write `state.recipients` in sno-config.yaml, or name recipients by `--recipient` or `--recipients-file`.',
  },
  'state/command': {
    severity: 'error',
    fault: 'the command of `--state-command` prints a state and ends with 0 within two minutes',
    why: 'What it prints holds the keys; a part of it, or none, makes another cluster.',
    fix: 'Run the command by itself. It is split into words at blanks outside of quotes, and no shell runs it: for pipes and variables, write `sh -c` in front.',
  },
  'state/plain-beside': {
    severity: 'error',
    fault: 'a directory whose state comes from stdin or a command holds no plain state of its own',
    why: 'What is given is never laid on the disk as plain text, and two states would drift apart.',
    fix: 'Delete `.sno-install-state.json` once the other place has all of it; or encrypt it with `state encrypt`.',
  },
  'state/kept-elsewhere': {
    severity: 'error',
    fault: 'a directory whose keys came from stdin or a command gets them again',
    why: 'Other keys would be drawn, and the outputs would be those of another cluster.',
    fix: 'Run it with the same `--state-command`, or with `--state`.',
  },
  'state/nowhere-to-keep': {
    severity: 'error',
    fault: 'a state from stdin or a command holds all that is asked for',
    why: 'What would be drawn anew would be lost with the end of the run.',
    fix: 'Run the command once without it, or with recipients, so that a state file is written; then put that where the state comes from.',
  },
  'state/pruned': {
    severity: 'error',
    fault: 'what `state prune` took out is not asked for again',
    why: 'Another key under the same name would make another cluster.',
    fix: 'Use a copy of the state from before. An installed cluster issues its certificates itself.',
  },
  'state/absent': {
    severity: 'error',
    fault: '`state` works on a state file that is there',
    why: 'There is nothing to encrypt, decrypt or prune before the first `create`.',
    fix: 'Name the directory with `--dir`. With `state.recipients` in sno-config.yaml the first `create` writes it encrypted.',
  },
  'state/already': {
    severity: 'error',
    fault: '`state encrypt` takes a plain state file, `state decrypt` and `state rotate` an encrypted one',
    why: 'Nothing would change, and whoever asked for it may believe that it did.',
    fix: 'For other recipients of an encrypted state, run `state rotate`.',
  },
  'state/recipients-configured': {
    severity: 'error',
    fault: 'a state file that sno-config.yaml wants encrypted is not left as plain text',
    why: 'The next run would encrypt it again, and until then the keys would lie open.',
    fix: 'Take `state.recipients` out of sno-config.yaml first, or have it printed with `state decrypt --out -`.',
  },
} as const satisfies CodeTable;
