import { describe, expect, test } from 'vitest';

import { readInstallConfig } from '../../src/config/reading/install-config.js';
import type { Problem } from '../../src/core/problem.js';
import { testContext, type TestInputs } from '../support/context.js';
import { snoConfigText } from '../support/minimal-config.js';
import { edited, soundInstallConfig } from './sound-config.js';

const pullSecret = '{"auths":{"quay.io":{"auth":"dGhyb3dhd2F5OnRocm93YXdheQ=="}}}';
const sshKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ5ialTiFcdXwCKUP4Zr7gO/zTKL/pikuBWWXvRMftkQ throwaway';
const withoutBoth = edited(soundInstallConfig, [
  [/pullSecret: .*\n/, ''],
  [/sshKey: .*\n/, ''],
]);

function read(sno: string, more: TestInputs = {}, install = withoutBoth) {
  const files = { 'install-config.yaml': install, 'sno-config.yaml': sno, ...more.files };
  return readInstallConfig(testContext({ ...more, files }).inputs);
}

function shown({ code, at, message }: Problem): string {
  return `${code} ${at?.file ?? ''}:${at?.line ?? ''} ${at?.path ?? ''}: ${message}`;
}

const problemsIn = (...given: Parameters<typeof read>): readonly string[] =>
  read(...given).problems.map(shown);

describe('a reference', () => {
  const plain = readInstallConfig(
    testContext({ files: { 'install-config.yaml': soundInstallConfig } }).inputs,
  );
  const both = 'pullSecretFile: pull.json\nsshKeyFile: keys.pub\n';

  test.each<{ name: string; sno: string; more: TestInputs }>([
    {
      name: 'to files',
      sno: both,
      more: { files: { 'pull.json': `${pullSecret}\n`, 'keys.pub': `# the operator\n${sshKey}\n` } },
    },
    {
      name: 'to files with a byte order mark and lines of Windows',
      sno: both,
      more: { files: { 'pull.json': `\ufeff${pullSecret}\r\n`, 'keys.pub': `${sshKey}\r\n` } },
    },
    {
      name: 'to variables',
      sno: 'pullSecretFile: env:PULL\nsshKeyFile: env:_KEY2\n',
      more: { variables: { PULL: pullSecret, _KEY2: sshKey } },
    },
    {
      name: 'to stdin and an absolute path',
      sno: 'pullSecretFile: "-"\nsshKeyFile: /home/me/.ssh/id.pub\n',
      more: { stdin: pullSecret, files: { '/home/me/.ssh/id.pub': sshKey } },
    },
  ])('$name has the same effect as the field', ({ sno, more }) => {
    const { problems, draft } = read(snoConfigText(sno), more);

    expect(problems).toEqual([]);
    expect(draft?.config).toEqual(plain.draft?.config);
    expect(draft?.config.pullSecret.reveal()).toBe(pullSecret);
  });

  test('is accepted with an empty field, as `create install-config` writes it', () => {
    const install = `${withoutBoth}pullSecret: ''\nsshKey: |\n`;
    const files = { 'pull.json': pullSecret, 'keys.pub': sshKey };
    expect(read(snoConfigText(both), { files }, install).problems).toEqual([]);
  });

  const reference = 'config/reference sno-config.yaml:3 pullSecretFile';
  test.each<{ name: string; sno: string; more?: TestInputs; install?: string; want: readonly string[] }>([
    {
      name: 'a file that is gone',
      sno: 'pullSecretFile: gone\n',
      want: [`${reference}: the pullSecretFile "gone" does not exist`],
    },
    {
      name: 'a variable that is not set',
      sno: 'pullSecretFile: env:GONE\n',
      want: [`${reference}: the pullSecretFile "env:GONE" is not set`],
    },
    {
      name: 'an empty variable',
      sno: 'pullSecretFile: env:EMPTY\n',
      more: { variables: { EMPTY: ' ' } },
      want: [`${reference}: the pullSecretFile "env:EMPTY" is empty`],
    },
    {
      name: 'bytes that are no text',
      sno: 'pullSecretFile: pull\n',
      more: { files: { pull: Buffer.from([0x7b, 0xff]) } },
      want: [`${reference}: the pullSecretFile "pull" is not UTF-8 text`],
    },
    {
      name: 'a pull secret itself, which is not repeated',
      sno: `pullSecretFile: '${pullSecret}'\n`,
      want: [`${reference}: the pullSecretFile "…" does not exist`],
    },
    {
      name: 'a pull secret that is none',
      sno: 'pullSecretFile: pull\n',
      more: { files: { pull: '\n{"auths": ' } },
      want: ['config/pull-secret pull: : pullSecret is cut off: its JSON ends early'],
    },
    {
      name: 'an entry on the third line',
      sno: 'pullSecretFile: pull\n',
      more: { files: { pull: '{\n"auths": {\n"quay.io": {"auth": ""},\n"b": {}\n}}' } },
      want: [
        'config/pull-secret pull:3 : the entry of "quay.io" in pullSecret has an "auth" that is not base64',
        'config/pull-secret pull:4 : the entry of "b" in pullSecret has neither "auth" nor "credsStore"',
      ],
    },
    {
      name: 'a pull secret in a variable that is none, at the reference',
      sno: 'pullSecretFile: env:PULL\n',
      more: { variables: { PULL: '{}' } },
      want: ['config/pull-secret sno-config.yaml:3 pullSecretFile: pullSecret has no map "auths"'],
    },
    {
      name: 'a private key',
      sno: 'pullSecretFile: pull\nsshKeyFile: id_ed25519\n',
      more: {
        files: {
          pull: pullSecret,
          id_ed25519: '\n-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n-----END OPENSSH PRIVATE KEY-----\n',
        },
      },
      want: [
        'config/ssh-key id_ed25519:2 : line 2 of sshKey is not a public key: it is a private key; the public one ends in ".pub"',
      ],
    },
    {
      name: 'a value at both places, each of which is judged',
      sno: 'pullSecretFile: pull\n',
      more: { files: { pull: '{}' } },
      install: `${withoutBoth}pullSecret: x\n`,
      want: [
        'config/pull-secret install-config.yaml:25 pullSecret: pullSecret is not JSON: unexpected character at line 1, column 1 of its text',
        'config/given-twice install-config.yaml:25 pullSecret: pullSecret is set in install-config.yaml and by pullSecretFile in sno-config.yaml',
        'config/given-twice sno-config.yaml:3 pullSecretFile: pullSecret is set in install-config.yaml and by pullSecretFile in sno-config.yaml',
        'config/pull-secret pull: : pullSecret has no map "auths"',
      ],
    },
    {
      name: 'no reference: the field is missing as ever',
      sno: 'sshKeyFile: keys.pub\n',
      more: { files: { 'keys.pub': sshKey } },
      want: ['config/missing-field install-config.yaml:1 pullSecret: pullSecret is missing'],
    },
    { name: 'something that is no text, which the schema says', sno: 'pullSecretFile: [a]\n', want: [] },
    {
      name: 'null, which is none',
      sno: 'pullSecretFile: null\n',
      want: ['config/missing-field install-config.yaml:1 pullSecret: pullSecret is missing'],
    },
    {
      name: 'a comment, which is none',
      sno: '# pullSecretFile: a\n',
      want: ['config/missing-field install-config.yaml:1 pullSecret: pullSecret is missing'],
    },
    { name: 'a config that cannot be read, which may name one', sno: 'pullSecretFile: a\nx: [\n', want: [] },
  ])('finds $name', ({ sno, more, install, want }) => {
    expect(problemsIn(snoConfigText(sno), more, install)).toEqual(want);
  });

  test('makes a field sound or not', () => {
    const isSound = (sno: string, more?: TestInputs) =>
      read(snoConfigText(sno), more).draft?.isSound('pullSecret');
    expect(isSound('pullSecretFile: pull\n', { files: { pull: pullSecret } })).toBe(true);
    expect(isSound('pullSecretFile: pull\n', { files: { pull: '{}' } })).toBe(false);
    expect(isSound('pullSecretFile: pull\n')).toBe(false);
  });
});
