import type { CodeTable } from './entry.js';

/** Problems of the receipts that `create` writes and `verify` reads. */
export const receiptCodes = {
  'receipt/none': {
    severity: 'error',
    fault: 'the folder for `verify` contains no receipt',
    why: '`verify` compares the outputs with their receipt.',
    fix: 'Name a receipt, or a folder that `create` wrote to. Manifests and trees have no receipt.',
  },
  'receipt/unreadable': {
    severity: 'error',
    fault: 'a receipt differs from the text that `create` writes',
    why: 'Programs could read a repeated field, an extra field or a path outside the folder in different ways.',
    fix: 'Copy the receipt again, or run `create` again. Reformatted JSON is not a valid receipt.',
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
    why: 'The file was changed, or the copy is damaged. The machine would differ from the reviewed one.',
    fix: 'Check who changed it, then move it away and run `create` again.',
  },
  'receipt/exposed': {
    severity: 'warning',
    fault: 'the mode of an output allows more than when it was written',
    why: 'Outputs contain the keys of the cluster. Git and some copy programs do not preserve file modes.',
    fix: 'Run `chmod` with the mode in the message.',
  },
  'receipt/not-listed': {
    severity: 'warning',
    fault: 'the folder contains a file that could be mistaken for an output',
    why: 'A machine could be installed with the wrong file by mistake.',
    fix: 'Move the file out of the folder. Use a separate folder for another target of `create`.',
  },
  'receipt/odd-file': {
    severity: 'error',
    fault:
      'a file in the receipt is not a regular file, or its path contains a link that leads out of the folder',
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
    fault:
      'an input cannot be compared: it is missing, or contains a short secret and `auth/kubeconfig` is missing or was changed',
    why: 'A short secret can be guessed from its plain hash, so the hash uses a key from `auth/kubeconfig`.',
    fix: 'Run `verify` in the folder where `create` ran. Ignore the warning if only the outputs were copied.',
  },
  'receipt/sign-key': {
    severity: 'error',
    fault: '`--sign-key` is not an SSH private key (Ed25519, RSA or ECDSA) without a passphrase',
    why: 'sno-install does not support keys with a passphrase, in an agent or in hardware; `ssh-keygen` does.',
    fix: 'Run without `--sign-key` and sign with `ssh-keygen`.',
    example: '$ ssh-keygen -Y sign -n sno-install-receipt -f KEY receipt.json',
  },
  'receipt/signature': {
    severity: 'error',
    fault: 'the signature of the receipt is missing or does not match it',
    why: 'An attacker who changes the outputs can also change the receipt, but cannot sign it.',
    fix: 'Sign the receipt again, or copy both files again.',
  },
  'receipt/stale-signature': {
    severity: 'warning',
    fault: 'a signature that `ssh-keygen` wrote belongs to an earlier receipt',
    why: 'The signature is not valid for this receipt. `create` removes only its own signatures.',
    fix: 'Sign the receipt again with `ssh-keygen -Y sign -n sno-install-receipt -f KEY receipt.json`, or delete the signature.',
  },
  'receipt/signer': {
    severity: 'error',
    fault:
      '`--allowed-signers` does not allow the key of the signature for `--signer`, for this purpose and at this time',
    why: 'A signature is valid only with a key that you trust.',
    fix: 'If you trust the key, add its signer to the file. ssh-keygen(1), ALLOWED SIGNERS, describes the format.',
  },
  'receipt/other-program': {
    severity: 'warning',
    fault: 'another version of sno-install generated the outputs',
    why: 'This version may generate different outputs from the same inputs.',
    fix: 'The outputs are intact. To see the differences, run `create` with this version in a copy of the directory, and compare with `diff`.',
  },
} as const satisfies CodeTable;
