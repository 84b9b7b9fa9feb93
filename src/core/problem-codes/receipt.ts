import type { CodeTable } from './entry.js';

/** Problems of the receipts that `create` writes and `verify` reads. */
export const receiptCodes = {
  'receipt/none': {
    severity: 'error',
    fault: 'the folder for `verify` contains no receipt',
    why: 'Nothing could be compared.',
    fix: 'Name the receipt, or the folder that `create` wrote to. Manifests and trees have no receipt.',
  },
  'receipt/unreadable': {
    severity: 'error',
    fault: 'a receipt is not exactly the text that `create` writes',
    why: 'Programs could read a repeated field, an extra field or a path outside the folder in different ways.',
    fix: 'Copy the receipt again, or run `create` again. An editor that reformats JSON makes a receipt invalid.',
  },
  'receipt/output-missing': {
    severity: 'error',
    fault: 'an output in the receipt is missing',
    why: 'A machine would boot without it, or with the file of another run.',
    fix: 'Copy the whole folder again. `create` with the same inputs and state also writes the file again.',
  },
  'receipt/output-changed': {
    severity: 'error',
    fault: 'the content of an output differs from the receipt',
    why: 'Somebody changed the file, or the copy is damaged. The machine would not be the one that was reviewed.',
    fix: 'Find out who changed it; then move it away and run `create` again.',
  },
  'receipt/exposed': {
    severity: 'warning',
    fault: 'more users can read or write an output than when it was written',
    why: 'Outputs contain the keys of the cluster. Git and some copy programs do not keep file modes.',
    fix: 'Run `chmod` with the mode in the message.',
  },
  'receipt/not-listed': {
    severity: 'warning',
    fault: 'the folder contains a file that could be mistaken for an output',
    why: 'A config that nobody reviewed could be used for a machine by mistake.',
    fix: 'Move the file out of the folder. Use a separate folder for another target of `create`.',
  },
  'receipt/odd-file': {
    severity: 'error',
    fault:
      'a file in the receipt is not a regular file, or is reached through a link that leads out of the folder',
    why: 'A manipulated receipt could make `verify` read any file of the system.',
    fix: 'Check the file. `create` writes only regular files.',
  },
  'receipt/input-changed': {
    severity: 'error',
    fault: 'an input changed after the outputs were written',
    why: 'The outputs do not match the inputs.',
    fix: 'Run `create` again, or revert the change.',
  },
  'receipt/input-not-compared': {
    severity: 'warning',
    fault: 'an input is missing, or contains a short secret and `auth/kubeconfig` is missing or was changed',
    why: 'Anybody could find a short secret from its plain hash by trying. The hash therefore uses a key that only the outputs contain.',
    fix: 'Run `verify` in the folder where `create` ran. If only the outputs were copied, nothing is wrong.',
  },
  'receipt/sign-key': {
    severity: 'error',
    fault: '`--sign-key` is not an SSH private key (Ed25519, RSA or ECDSA) without a passphrase',
    why: 'sno-install cannot sign with keys that have a passphrase or are in an agent or in hardware; `ssh-keygen` can.',
    fix: 'Run without `--sign-key` and sign with `ssh-keygen`.',
    example: '$ ssh-keygen -Y sign -n sno-install-receipt -f KEY receipt.json',
  },
  'receipt/signature': {
    severity: 'error',
    fault: 'the signature of the receipt is missing or does not match it',
    why: 'Anybody who can change the outputs can also write a receipt for them, but cannot sign it.',
    fix: 'Sign the receipt again, or copy receipt and signature again from their source.',
  },
  'receipt/stale-signature': {
    severity: 'warning',
    fault: 'a signature that `ssh-keygen` wrote belongs to an earlier receipt',
    why: 'It proves nothing about this receipt. `create` removes only signatures that it wrote itself.',
    fix: 'Sign the receipt again with `ssh-keygen -Y sign -n sno-install-receipt -f KEY receipt.json`, or delete the signature.',
  },
  'receipt/signer': {
    severity: 'error',
    fault:
      '`--allowed-signers` does not allow the key of the signature for `--signer`, for this purpose and at this time',
    why: 'Anybody can sign with a key of their own.',
    fix: 'Find out whose key it is. If you trust it, add the signer to the file in the form of ssh-keygen(1), ALLOWED SIGNERS.',
  },
  'receipt/other-program': {
    severity: 'warning',
    fault: 'another version of sno-install made the outputs',
    why: 'This version may generate different outputs from the same inputs.',
    fix: 'The outputs are intact, so you need not do anything. To see the differences, run `create` with this version in a copy of the directory and compare with `diff`.',
  },
} as const satisfies CodeTable;
