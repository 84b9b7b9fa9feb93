import type { CodeTable } from './entry.js';

/** Problems of an encrypted state file, and of encrypting one. */
export const stateCodes = {
  'state/no-identity': {
    severity: 'error',
    fault: 'the state file or an output is encrypted, and no identity or passphrase was given',
    why: 'The state file contains the keys of the cluster, which every output needs.',
    fix: 'Name the file with the identity by `--identity`, or the file with the passphrase by `--passphrase-file`; on a terminal you are prompted for the passphrase. If another program stores the key, run it with `--state-command` to decrypt the state.',
    example: '$ sno-install create single-node-ignition-config --identity ~/.config/age/key.txt',
  },
  'state/not-read': {
    severity: 'warning',
    fault: '`validate`, `preflight` or `images` ran without the encrypted state',
    why: 'These commands run without the keys, for example in CI. Without the state they do not check the keys and certificates, edits of outputs and generated manifests, and whether the state belongs to this cluster.',
    fix: 'You can ignore this warning. To run these checks too, use `--identity`, `--passphrase-file` or `--state-command`. `create` always needs the state.',
  },
  'state/wrong-identity': {
    severity: 'error',
    fault: 'the given identity or passphrase cannot decrypt the state file or the output',
    why: 'The file was encrypted for other recipients.',
    fix: 'Use another identity, or let one of the recipients add yours with `state rotate`.',
  },
  'state/identity': {
    severity: 'error',
    fault:
      'the file of `--identity` contains no age identity, or the file of `--passphrase-file` no passphrase',
    why: 'The state cannot be decrypted.',
    fix: 'Name the file that `age-keygen` wrote. SSH keys and plugins are not supported: let `age` decrypt the state with `--state-command`.',
    example:
      "$ sno-install create single-node-ignition-config --state-command 'age --decrypt --identity ~/.ssh/id_ed25519 state.age'",
  },
  'state/passphrase': {
    severity: 'error',
    fault: 'the passphrase is empty, the two entries differ, or there is no terminal to type it',
    why: 'A typing error would make the state unreadable forever.',
    fix: 'Run the command again. Without a terminal, name a file with the passphrase by `--passphrase-file`, or `-` for stdin.',
  },
  'state/recipient': {
    severity: 'error',
    fault: 'a recipient is not an age public key (`age1…`)',
    why: 'The state cannot be encrypted for this recipient.',
    fix: 'Write the output of `age-keygen -y FILE`. SSH keys and recipients of plugins are not supported.',
  },
  'state/no-recipients': {
    severity: 'error',
    fault: 'an encrypted file must be written again, but no recipients are configured',
    why: 'Encrypted data is never written as plain text unless you run `state decrypt`.',
    fix: 'Write `state.recipients` in sno-config.yaml, or use `--recipient` or `--recipients-file`.',
  },
  'state/command': {
    severity: 'error',
    fault: 'the command of `--state-command` failed, took more than two minutes, or printed no state',
    why: 'With a partial or empty state, new keys of another cluster would be generated.',
    fix: 'Run the command separately to see its error. It is split at spaces outside quotes and runs without a shell; for pipes and variables, use `sh -c`.',
  },
  'state/plain-beside': {
    severity: 'error',
    fault: 'the state comes from stdin or a command, but the directory also contains a plain state file',
    why: 'A state from stdin or a command is never written to the disk as plain text, so the two states would diverge.',
    fix: 'Encrypt the state file with `state encrypt`. Or, if the other copy contains all of its keys, delete `.sno-install-state.json`.',
  },
  'state/kept-elsewhere': {
    severity: 'error',
    fault: 'the keys of the last run came from stdin or a command, but this run uses neither',
    why: 'sno-install would generate other keys, and the outputs would belong to another cluster.',
    fix: 'Run the command with the same `--state-command`, or with `--state`.',
  },
  'state/nowhere-to-keep': {
    severity: 'error',
    fault: 'the state from stdin or a command does not contain a key or ID that this target needs',
    why: 'A new value could not be stored there and would be lost.',
    fix: 'Run the command once without `--state-command`, or with recipients, which writes a state file. Then store that file where the state comes from.',
  },
  'state/pruned': {
    severity: 'error',
    fault: 'the target needs a key that `state prune` removed',
    why: 'A new key would belong to another cluster.',
    fix: 'Use a copy of the state from before the prune. An installed cluster issues its certificates itself.',
  },
  'state/absent': {
    severity: 'error',
    fault: 'the directory has no state file',
    why: 'The first `create` writes it.',
    fix: 'Name the directory with `--dir`. With `state.recipients` in sno-config.yaml, the first `create` writes an encrypted state.',
  },
  'state/already': {
    severity: 'error',
    fault:
      '`state encrypt` was run on an encrypted state file, or `state decrypt` or `state rotate` on a plain one',
    why: 'The command would have no effect.',
    fix: 'To change the recipients of an encrypted state, run `state rotate`.',
  },
  'state/recipients-configured': {
    severity: 'error',
    fault: '`state decrypt` would leave a plain state file, although sno-config.yaml sets `state.recipients`',
    why: 'The next run would encrypt the file again.',
    fix: 'Remove `state.recipients` from sno-config.yaml first, or print the state with `state decrypt --out -`.',
  },
} as const satisfies CodeTable;
