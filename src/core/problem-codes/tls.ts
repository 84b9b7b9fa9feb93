import type { CodeTable } from './entry.js';

/** Problems of keys and passwords that the user supplies. */
export const tlsCodes = {
  'tls/bound-key': {
    severity: 'error',
    rule: '`tls/bound-service-account-signing-key.key`, where there is one, is an RSA private key of at least 2048 bits',
    why: 'kube-apiserver signs service-account tokens with it, and does not start with a key of another kind.',
    fix: 'Put an RSA key in PEM there (`openssl genrsa 4096`), or remove the file to have one made on the node.',
  },
  'tls/kubeadmin-hash': {
    severity: 'error',
    rule: '`tls/kubeadmin-password.hash`, where there is one, can be read and holds one bcrypt hash',
    why: 'The OAuth server ignores any other value, and nobody could log in as kubeadmin.',
    fix: 'Write the hash with `htpasswd -nbBC 10 "" PASSWORD | tr -d ":\\n"`, or remove the file to have a password drawn.',
  },
  'tls/kubeadmin-password': {
    severity: 'error',
    rule: '`tls/kubeadmin-password` belongs to `tls/kubeadmin-password.hash` and has at least 23 characters',
    why: 'The OAuth server refuses shorter passwords, and one that does not fit the hash never lets anybody in.',
    fix: 'Write the password whose hash stands in the other file, or remove both to have one drawn.',
  },
} as const satisfies CodeTable;
