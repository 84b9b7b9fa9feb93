import type { CodeTable } from './entry.js';

/** Problems of certificates that `certs` lists. */
export const certsCodes = {
  'certs/ended': {
    severity: 'error',
    rule: 'with `--warn-before`, no certificate has ended',
    why: 'Whoever checks the dates refuses it: a machine that boots with it does not come up, a server is not believed.',
    fix: 'Issue it anew. Of a config that has not booted yet, `create … --renew` does so from the same keys; a node of ours renews its own.',
  },
  'certs/ends-soon': {
    severity: 'error',
    rule: 'with `--warn-before TIME`, no certificate ends within that time',
    why: 'It is what the option asks for: to be told while there is time to do something.',
    fix: 'Issue it anew before it ends: `create … --renew` for a config that has not booted yet.',
  },
  'certs/unreadable': {
    severity: 'warning',
    rule: 'what says that it is a certificate can be read as one',
    why: 'Nobody can say when it ends, and no program will take it.',
    fix: 'Copy it again, whole: `openssl x509 -in FILE -noout -text` must read it.',
  },
  'certs/none': {
    severity: 'error',
    rule: 'each path that `certs` is given leads to a certificate',
    why: 'A monitor that looks at the wrong file would be silent for ever.',
    fix: 'Name a directory of ours, an Ignition config, a live ISO, a kubeconfig or a PEM file.',
  },
} as const satisfies CodeTable;
