import type { CodeTable } from './entry.js';

/** Problems of the receipts that `create` writes and `verify` reads. */
export const receiptCodes = {
  'receipt/none': {
    severity: 'error',
    fault: 'a folder that `verify` is given holds a receipt',
    why: 'Nothing would be compared, and a check that compares nothing says nothing.',
    fix: 'Name the receipt, or the folder that `create` wrote to. Manifests and trees have none.',
  },
  'receipt/unreadable': {
    severity: 'error',
    fault:
      'a receipt is the very text that `create` writes: every field once, every path below its own folder, nothing beside',
    why: 'What stands twice, or leads elsewhere, two programs would read in two ways.',
    fix: 'Take the receipt from where it came from again, or run `create` again. An editor that formats JSON anew spoils it.',
  },
  'receipt/output-missing': {
    severity: 'error',
    fault: 'every output that a receipt names is there',
    why: 'A machine would boot without it, or with one of another run.',
    fix: 'Copy all of the folder again; `create` with the same inputs and state writes it again.',
  },
  'receipt/output-changed': {
    severity: 'error',
    fault: 'every output has the bytes that were written',
    why: 'Somebody changed it, or the copy is damaged: the machine would not be what was reviewed.',
    fix: 'Find out who changed it; then move it away and run `create` again.',
  },
  'receipt/exposed': {
    severity: 'warning',
    fault: 'an output can be read and written by nobody but those whom it was written for',
    why: 'Outputs hold the keys of the cluster. Git, and some copies, keep no modes.',
    fix: '`chmod` it to the mode that the message names.',
  },
  'receipt/not-listed': {
    severity: 'warning',
    fault: 'beside the outputs stands nothing that could be taken for one',
    why: 'A config that nobody reviewed could go to a machine by mistake.',
    fix: 'Delete it when nothing needs it; another target of `create` has a folder of its own.',
  },
  'receipt/odd-file': {
    severity: 'error',
    fault:
      'what a receipt names are regular files below its folder, reached through no link that leads out of it',
    why: 'A receipt that somebody else prepared could have any file of the system read.',
    fix: 'Look at what stands there. What `create` writes are regular files.',
  },
  'receipt/input-changed': {
    severity: 'error',
    fault: 'the inputs are those that the outputs were made of',
    why: 'The outputs do not do what the inputs say now.',
    fix: 'Run `create` again, or take the change back.',
  },
  'receipt/input-not-compared': {
    severity: 'warning',
    fault:
      'inputs are compared where they are there, and those with short secrets where `auth/kubeconfig` is there as it was written',
    why: 'A plain hash of a short secret would let anybody find it by trying, so it is made with a key that only the outputs hold.',
    fix: 'Compare in the folder where `create` ran. Where the outputs alone were copied, nothing is wrong.',
  },
  'receipt/sign-key': {
    severity: 'error',
    fault: '`--sign-key` is a private key of SSH without a passphrase: Ed25519, RSA or ECDSA',
    why: 'Nothing else can sign here; with a passphrase, in an agent or in hardware, `ssh-keygen` can.',
    fix: 'Leave the option out and sign with `ssh-keygen -Y sign -n sno-install-receipt -f KEY receipt.json`.',
  },
  'receipt/signature': {
    severity: 'error',
    fault:
      'a signature beside a receipt is of this very receipt, and there is one where `--allowed-signers` asks for it',
    why: 'Whoever can change the outputs can write a receipt for them; the signature they cannot make.',
    fix: 'Sign it again, or take receipt and signature from where they came from.',
  },
  'receipt/stale-signature': {
    severity: 'warning',
    fault: 'a signature that `ssh-keygen` put beside a receipt is of the receipt that is there',
    why: 'It is of an earlier one and proves nothing of this; `create` removes its own signatures and no other.',
    fix: 'Sign the receipt again, `ssh-keygen -Y sign -n sno-install-receipt -f KEY receipt.json`, or delete the signature.',
  },
  'receipt/signer': {
    severity: 'error',
    fault:
      'the key that signed is among those of `--allowed-signers`: of `--signer`, for this purpose and at this time',
    why: 'Anybody can sign with a key of their own.',
    fix: 'Add the signer to the file, in the form of ssh-keygen(1), ALLOWED SIGNERS, once you know whose key it is.',
  },
  'receipt/other-program': {
    severity: 'warning',
    fault: 'the program that verifies is the one that made the outputs',
    why: 'Another version may make others of the same inputs.',
    fix: 'Nothing is wrong with the outputs. `create` with this version shows what it makes otherwise; `diff` says how.',
  },
} as const satisfies CodeTable;
