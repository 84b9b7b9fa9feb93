import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { generatedFiles } from '../../../src/node/live/cluster-files.js';
import { envFile } from '../../../src/node/live/live-env-file.js';
import { proxyFiles } from '../../../src/node/proxy-files.js';
import { facts, throwawayPullSecret } from './live-facts.js';

const fips = (value: boolean) =>
  `{"apiVersion":"machineconfiguration.openshift.io/v1","kind":"MachineConfig","metadata":{"name":"bootstrap-fips"},"spec":{"config":{"ignition":{"version":"3.1.0"}},"fips":${value}}}\n`;

describe('generatedFiles', () => {
  test('are three for a plain cluster, each readable by root alone', async () => {
    const given = await facts();
    expect(generatedFiles(given)).toEqual([
      { path: '/opt/openshift/sno-install.env', mode: 0o600, contents: envFile(given) },
      { path: '/root/.docker/config.json', mode: 0o600, contents: throwawayPullSecret },
      { path: '/etc/ignition-machine-config-encapsulated.json', mode: 0o600, contents: fips(false) },
    ]);
  });

  test('switch FIPS on', async () => {
    const files = generatedFiles(await facts({ more: 'fips: true\n' }));
    expect(files.find(({ path }) => path.endsWith('encapsulated.json'))?.contents).toBe(fips(true));
  });

  test('bring the trust bundle as it was given', async () => {
    const { install, ...rest } = await facts();
    const files = generatedFiles({ ...rest, install: { ...install, additionalTrustBundle: 'PEM\n' } });
    expect(files.at(-1)).toEqual({
      path: '/etc/pki/ca-trust/source/anchors/ca.crt',
      mode: 0o600,
      contents: 'PEM\n',
    });
  });

  test('name the mirrors of each source, in the order of the config', async () => {
    const given = await facts({
      more: `imageDigestSources:
- source: quay.io/openshift-release-dev/ocp-release
  mirrors: [mirror.example.com/ocp/release, other.example.com/ocp/release]
- source: quay.io/openshift-release-dev/ocp-v4.0-art-dev
  mirrors: [mirror.example.com/ocp/images]
  sourcePolicy: NeverContactSource
- source: quay.io/openshift-release-dev/ocp-release
  mirrors: [third.example.com/release, mirror.example.com/ocp/release]
`,
    });
    expect(generatedFiles(given).at(-1)).toEqual({
      path: '/etc/containers/registries.conf',
      mode: 0o644,
      contents: `[[registry]]
location = "quay.io/openshift-release-dev/ocp-release"
insecure = false
mirror-by-digest-only = true

[[registry.mirror]]
location = "mirror.example.com/ocp/release"
insecure = false

[[registry.mirror]]
location = "other.example.com/ocp/release"
insecure = false

[[registry.mirror]]
location = "third.example.com/release"
insecure = false

[[registry]]
location = "quay.io/openshift-release-dev/ocp-v4.0-art-dev"
insecure = false
mirror-by-digest-only = true
blocked = true

[[registry.mirror]]
location = "mirror.example.com/ocp/images"
insecure = false
`,
    });
  });

  test('name the mirrors of the older form', async () => {
    const more = 'imageContentSources: [{ source: quay.io/a, mirrors: [mirror.example.com/a] }]\n';
    expect(generatedFiles(await facts({ more })).at(-1)?.contents).toBe(`[[registry]]
location = "quay.io/a"
insecure = false
mirror-by-digest-only = true

[[registry.mirror]]
location = "mirror.example.com/a"
insecure = false
`);
  });

  test('set the proxy for shells and units, with the cluster networks excluded', async () => {
    const given = await facts({
      more: `proxy:
  httpProxy: http://throwaway:p%40ss@proxy.example.com:3128
  httpsProxy: http://throwaway:p%40ss@proxy.example.com:3128
  noProxy: .site.example.com
`,
    });
    const url = 'http://throwaway:p%40ss@proxy.example.com:3128';
    const inside =
      '.cluster.local,.site.example.com,.svc,10.128.0.0/14,127.0.0.1,172.30.0.0/16,192.168.126.0/24,api-int.sno.example.com,localhost';
    expect(generatedFiles(given).slice(-2)).toEqual([
      {
        path: '/etc/profile.d/proxy.sh',
        mode: 0o600,
        contents: `export HTTP_PROXY='${url}'\nexport HTTPS_PROXY='${url}'\nexport NO_PROXY='${inside}'\n`,
      },
      {
        path: '/etc/systemd/system.conf.d/10-default-env.conf',
        mode: 0o600,
        contents: `[Manager]\nDefaultEnvironment="HTTP_PROXY=${url.replace('%', '%%')}" "HTTPS_PROXY=${url.replace('%', '%%')}" "NO_PROXY=${inside}"\n`,
      },
    ]);
  });
});

describe('proxyFiles', () => {
  test('are none without a proxy, and name only the variables there are', () => {
    const httpProxy = 'http://proxy.example.com';
    expect([proxyFiles({}), proxyFiles({ httpProxy }).map(({ contents }) => contents)]).toEqual([
      [],
      [
        "export HTTP_PROXY='http://proxy.example.com'\n",
        '[Manager]\nDefaultEnvironment="HTTP_PROXY=http://proxy.example.com"\n',
      ],
    ]);
  });

  test('have the intended values in systemd', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme-ascii' }), (httpProxy) => {
        const [, conf] = proxyFiles({ httpProxy });
        expect(defaultEnvironment(String(conf?.contents))).toBe(`HTTP_PROXY=${httpProxy}`);
      }),
    );
  });
});

/** Parses one assignment of DefaultEnvironment= as systemd does: unquotes, unescapes, expands specifiers. */
function defaultEnvironment(conf: string): string {
  const word = /^\[Manager\]\nDefaultEnvironment="((?:[^"\\]|\\["\\])*)"\n$/.exec(conf)?.[1] ?? 'unreadable';
  const unescaped = word.replaceAll(/\\(["\\])/g, '$1');
  if (/%(?!%)/.test(unescaped.replaceAll('%%', ''))) return 'a specifier';
  return unescaped.replaceAll('%%', '%');
}
