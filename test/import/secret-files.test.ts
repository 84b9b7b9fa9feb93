import { describe, expect, it } from 'vitest';

import { secretFiles } from '../../src/import/secret-files.js';

const machineConfig = (mode: string, source: string): string =>
  `kind: MachineConfig\nspec: { config: { storage: { files: [{ path: /etc/a, mode: ${mode}, contents: { source: "${source}" } }] } } }\n`;

describe('secretFiles', () => {
  const held = [
    ['pull-secret.json', '{}', 'the pull secret'],
    ['overrides/site1/pull-secret.json', '{}', 'the pull secret'],
    ['install-config.yaml', 'pullSecret: short\n', 'the pull secret'],
    ['base/install-config.yaml', 'pullSecret: short\n', 'the pull secret'],
    ['a.yaml', 'x: \'{"auths":{"a":{"auth":"YTpi"}}}\'\n', 'the pull secret'],
    ['a.yaml', 'proxy: { httpProxy: "http://user:word@proxy.example.com:3128" }\n', 'a secret'],
    ['a.yaml', 'kind: ConfigMap\n---\nkind: Secret\nstringData: { community: x }\n', 'a secret'],
    ['a.yaml', 'kind: SecretList\nitems: [{ data: { community: eA== } }]\n', 'a secret'],
    ['a.yaml', machineConfig('384', 'data:,x'), 'a secret'],
    ['a.yaml', 'network: { wifi: { password: x } }\n', 'a secret'],
  ] as const;
  it.each(held)('names %s with %j', (path, text, holds) => {
    expect(secretFiles([{ path, text }])).toEqual([{ path, holds }]);
  });

  it.each([
    ['install-config.yaml', 'pullSecret: ""\n'],
    ['install-config.yaml', 'pullSecret: "${pull}"\nproxy: { httpProxy: "http://proxy.example.com:3128" }\n'],
    ['sno-config.yaml', 'pullSecretFile: env:PULL_SECRET\n'],
    ['a.yaml', 'kind: Secret\ntype: Opaque\nmetadata: { name: x }\n'],
    ['a.yaml', machineConfig('420', 'data:,x')],
    ['a.yaml', 'kind: Pod\nspec: { automountServiceAccountToken: false, imagePullSecrets: [{ name: x }] }\n'],
    ['a.yaml', 'secret: { items: [{ key: a, path: b, mode: 256 }] }\n'],
    ['notes.txt', 'the token is in the safe\n'],
  ])('does not name %s with %j', (path, text) => {
    expect(secretFiles([{ path, text }])).toEqual([]);
  });
});
