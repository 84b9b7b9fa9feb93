import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { pointerConfig } from '../../../src/ignition/pointer.js';
import { serializeConfig } from '../../../src/ignition/serialize.js';
import { dataUrl } from '../../../src/formats/data-url.js';
import { sampleConfig, sampleContents } from '../../ignition/sample-config.js';
import {
  describeWithIgnition,
  differencesFromConfig,
  layWithIgnition,
  validateWithIgnition,
} from '../../support/real-ignition.js';
import { scratchFolder } from '../../support/scratch.js';

describeWithIgnition('configs of ours before the real Ignition', () => {
  it('are clean for ignition-validate', () => {
    expect(validateWithIgnition(serializeConfig(sampleConfig()))).toBe('');
    const ca = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
    const pointer = pointerConfig('https://api-int.sno.example.com:22623/config/worker', ca);
    expect(validateWithIgnition(serializeConfig(pointer))).toBe('');
  });

  it('are applied as configured', () => {
    const config = sampleConfig();
    const root = layWithIgnition(serializeConfig(config), scratchFolder());
    expect(differencesFromConfig(root, config)).toEqual([]);
  });

  it('carry every byte and every character', () => {
    const characters = Array.from({ length: 0x600 }, (_none, code) => String.fromCodePoint(code)).join('');
    const files = [
      { path: '/characters', mode: 0o600, contents: `${characters}😀` },
      { path: '/bytes', mode: 0o600, contents: Uint8Array.from({ length: 256 }, (_none, byte) => byte) },
    ];
    const config = sampleConfig({ files });
    const root = layWithIgnition(serializeConfig(config), scratchFolder());
    expect(differencesFromConfig(root, config)).toEqual([]);
  });

  it('would not pass with a difference', () => {
    const config = sampleConfig();
    const root = layWithIgnition(serializeConfig(config), scratchFolder());
    rmSync(join(root, 'etc/empty'));
    chmodSync(join(root, 'opt/blob'), 0o644);
    writeFileSync(join(root, 'etc/motd'), 'other');
    writeFileSync(join(root, 'stray'), '');
    const units = [...(config.systemd?.units ?? []), { name: 'new.service', enabled: true } as const];
    const users = [
      { name: 'core', sshAuthorizedKeys: ['ssh-rsa other'] },
      { name: 'admin', sshAuthorizedKeys: [] },
    ];
    expect(differencesFromConfig(root, { ...config, systemd: { units }, passwd: { users } })).toEqual([
      '/etc/empty is missing',
      '/etc/motd has other contents',
      '/opt/blob is 644 0:0, expected 600 0:0',
      expect.stringMatching(
        /^\/etc\/systemd\/system-preset\/20-ignition\.preset says .*, expected .*enable new\.service$/,
      ),
      'the keys of user core differ',
      'user admin is missing',
      '/stray is in no entry of the config',
    ]);
  });

  it('fail without a word of their contents', () => {
    const files = [
      { path: '/etc/passwd/secret', mode: 0o600, contents: 'a secret' },
      ...sampleContents.files,
    ];
    const text = serializeConfig(sampleConfig({ files }));
    expect(text.includes(dataUrl('a secret'))).toBe(true);
    expect(() => layWithIgnition(text, scratchFolder())).toThrow(
      /^Ignition stage files ended with 1: CRITICAL(?!.*secret%20).*not a directory/,
    );
  });
});
