import type { CodeTable } from './entry.js';

/** Problems of keys and passwords that the user supplies. */
export const tlsCodes = {
  'tls/bound-key': {
    severity: 'error',
    fault: '`tls/bound-service-account-signing-key.key` is not an RSA private key of at least 2048 bits',
    why: 'kube-apiserver signs service account tokens with this key and does not start with other types.',
    fix: 'Replace the file with an RSA key in PEM, or move it away; then the node generates a key.',
    example: '$ openssl genrsa -out tls/bound-service-account-signing-key.key 4096',
  },
  'tls/kubeadmin-hash': {
    severity: 'error',
    fault: '`tls/kubeadmin-password.hash` cannot be read or is not exactly one bcrypt hash',
    why: 'The OAuth server ignores other values, so logins as kubeadmin would fail.',
    fix: 'Write the hash with the command below, or move the file away; then a password is generated.',
    example: '$ htpasswd -nbBC 10 "" PASSWORD | tr -d ":\\n" > tls/kubeadmin-password.hash',
  },
  'tls/kubeadmin-password': {
    severity: 'error',
    fault:
      '`tls/kubeadmin-password` does not match `tls/kubeadmin-password.hash`, or has fewer than 23 characters',
    why: 'The OAuth server rejects shorter passwords and passwords that do not match the hash.',
    fix: 'Write the password that belongs to the hash, or move both files away; then a password is generated.',
  },
} as const satisfies CodeTable;
