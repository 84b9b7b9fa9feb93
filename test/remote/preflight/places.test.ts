import { describe, expect, test } from 'vitest';

import { readInstallConfig } from '../../../src/config/reading/install-config.js';
import type { InstallConfig } from '../../../src/config/schema/install-config-schema.js';
import { credentialsFor } from '../../../src/remote/preflight/pull-credentials.js';
import { placesOf } from '../../../src/remote/preflight/pull-places.js';
import { bypassesProxy } from '../../../src/remote/http/proxy.js';
import { testContext } from '../../support/context.js';
import { minimalInstallConfig } from '../../support/minimal-config.js';

function configWith(more: string): InstallConfig {
  const { inputs } = testContext({ files: { 'install-config.yaml': `${minimalInstallConfig}${more}` } });
  const { draft } = readInstallConfig(inputs);
  if (draft === undefined) throw new Error('not sound');
  return draft.config;
}

const digest = `sha256:${'a'.repeat(64)}`;

describe('placesOf', () => {
  const config = configWith(
    'imageDigestSources:\n' +
      '  - source: quay.io/ocp\n    mirrors: [short.example.com/ocp]\n' +
      '  - source: quay.io/ocp/release\n    mirrors: ["a.example.com:5000/x", b.example.com/y/z]\n' +
      '  - source: quay.io/closed\n    mirrors: [a.example.com/closed]\n    sourcePolicy: NeverContactSource\n',
  );

  test.each<[image: string, want: readonly string[]]>([
    [`quay.io/ocp/release@${digest}`, ['a.example.com:5000/x', 'b.example.com/y/z', 'quay.io/ocp/release']],
    [`quay.io/ocp/other@${digest}`, ['short.example.com/ocp/other', 'quay.io/ocp/other']],
    [`quay.io/ocp-x/other@${digest}`, ['quay.io/ocp-x/other']],
    ['quay.io/ocp/release:4.21.0', ['quay.io/ocp/release']],
    [`quay.io/closed/a@${digest}`, ['a.example.com/closed/a']],
    ['quay.io/closed/a:1', []],
  ])('of %s', (image, want) => {
    expect(placesOf(image, config).map(({ repository }) => repository)).toEqual(want);
  });
});

describe('credentialsFor', () => {
  const pullSecret = JSON.stringify({
    auths: {
      'quay.io': { auth: 'one' },
      'quay.io/ocp/release': { auth: 'two' },
      'https://index.docker.io/v1/': { auth: 'three' },
      'https://a.example.com:5000/v2/': { auth: 'four' },
      'b.example.com': { credsStore: 'x' },
    },
  });

  test.each([
    ['quay.io/ocp/release', 'two'],
    ['quay.io/ocp/release/more', 'two'],
    ['quay.io/ocp/other', 'one'],
    ['quay.io.example.com/ocp', undefined],
    ['docker.io/library/a', 'three'],
    ['a.example.com:5000/x', 'four'],
    ['a.example.com/x', undefined],
    ['b.example.com/x', undefined],
  ])('of %s', (repository, want) => {
    expect(credentialsFor(pullSecret, repository)).toBe(want);
  });
});

describe('isWithoutProxy', () => {
  test.each<[noProxy: string, host: string, want: boolean]>([
    ['', 'quay.io', false],
    ['', 'localhost', true],
    ['', '127.0.0.1', true],
    ['', '[::1]', true],
    ['*', 'quay.io', true],
    ['quay.io', 'quay.io', true],
    ['quay.io', 'cdn.quay.io', true],
    ['quay.io', 'notquay.io', false],
    ['.quay.io', 'quay.io', false],
    ['.quay.io', 'cdn.quay.io', true],
    ['*.quay.io', 'cdn.quay.io', true],
    [' a.io , quay.io', 'QUAY.IO.', true],
    ['quay.io:443', 'quay.io', true],
    ['quay.io:8443', 'quay.io', false],
    ['192.0.2.0/24', '192.0.2.7', true],
    ['192.0.2.0/24', '192.0.3.7', false],
    ['192.0.2.0/24', 'quay.io', false],
    ['192.0.2.7', '192.0.2.7', true],
    ['fd00::/8', '[fd00::1]', true],
    ['fd00::1', '[fd00::1]', true],
    ['[fd00::1]:443', '[fd00::1]', true],
    [',', 'quay.io', false],
  ])('%s: %s', (noProxy, host, want) => {
    expect(bypassesProxy(host, 443, noProxy)).toBe(want);
  });
});
