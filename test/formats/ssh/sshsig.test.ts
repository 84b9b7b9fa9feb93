import { spawnSync } from 'node:child_process';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { findSigner, type SignerResult } from '../../../src/formats/ssh/allowed-signers.js';
import { readSshPrivate } from '../../../src/formats/ssh/ssh-private.js';
import { sshPublicBlob } from '../../../src/formats/ssh/ssh-public.js';
import { sshSign, sshVerify, type SshSigner } from '../../../src/formats/ssh/sshsig.js';
import { describeWith } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';

const namespace = 'sno-install-receipt';
const message = Buffer.from('{"kind": "Receipt"}\n');

const kinds = [
  { name: 'ed25519', make: ['-t', 'ed25519'] },
  { name: 'rsa-2048', make: ['-t', 'rsa', '-b', '2048'] },
  { name: 'ecdsa-256', make: ['-t', 'ecdsa', '-b', '256'] },
  { name: 'ecdsa-384', make: ['-t', 'ecdsa', '-b', '384'] },
  { name: 'ecdsa-521', make: ['-t', 'ecdsa', '-b', '521'] },
  { name: 'rsa-in-pem', make: ['-t', 'rsa', '-b', '2048', '-m', 'PEM'] },
  { name: 'ecdsa-in-pkcs8', make: ['-t', 'ecdsa', '-m', 'PKCS8'] },
];

describeWith(['ssh-keygen'], 'a signature of SSH', () => {
  let folder = '';
  const keygen = (
    args: readonly string[],
    input: string | Buffer = '',
  ): { code: number | null; said: string } => {
    const { status, stdout, stderr } = spawnSync('ssh-keygen', args, {
      cwd: folder,
      input,
      encoding: 'utf8',
    });
    return { code: status, said: `${stdout}${stderr}` };
  };
  const keyFile = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const signer = (name: string): SshSigner => {
    const read = readSshPrivate(keyFile(name));
    if (!read.ok) throw new Error(read.fault);
    return read;
  };
  beforeAll(() => {
    folder = scratchFolder();
    for (const { name, make } of kinds) {
      const made = keygen(['-q', '-N', '', '-C', 'a comment', '-f', name, ...make]);
      expect(made).toEqual({ code: 0, said: '' });
    }
    writeFileSync(join(folder, 'message'), message);
  });

  describe.each(kinds)('by a key of $name', ({ name }) => {
    it('has the public half that ssh-keygen writes', () => {
      const [type, base64] = keyFile(`${name}.pub`).split(' ');
      expect(type).toBe(
        signer(name)
          .publicBlob.subarray(4, 4 + (type?.length ?? 0))
          .toString(),
      );
      expect(signer(name).publicBlob.toString('base64')).toBe(base64);
    });

    it('is accepted by ssh-keygen, of this message, for this purpose and this person alone', () => {
      writeFileSync(join(folder, 'ours.sig'), sshSign(signer(name), message, namespace));
      writeFileSync(join(folder, 'allowed'), `a@example.com ${keyFile(`${name}.pub`)}`);
      const verify = (who: string, purpose: string, of: string | Buffer): number | null =>
        keygen(['-Y', 'verify', '-f', 'allowed', '-I', who, '-n', purpose, '-s', 'ours.sig'], of).code;
      expect(keygen(['-Y', 'check-novalidate', '-n', namespace, '-s', 'ours.sig'], message).code).toBe(0);
      expect([
        verify('a@example.com', namespace, message),
        verify('b@example.com', namespace, message),
        verify('a@example.com', 'file', message),
        verify('a@example.com', namespace, 'another'),
      ]).toEqual([0, 255, 255, 255]);
    });

    it('of ssh-keygen is accepted here, of this message and for this purpose alone', () => {
      for (const hash of ['sha256', 'sha512']) {
        const made = spawnSync(
          'ssh-keygen',
          ['-Y', 'sign', '-q', '-O', `hashalg=${hash}`, '-f', name, '-n', namespace],
          {
            cwd: folder,
            input: message,
            encoding: 'utf8',
          },
        );
        const text = made.stdout;
        expect(text).toContain('BEGIN SSH SIGNATURE');
        expect(sshVerify(text, message, namespace)).toEqual({
          ok: true,
          publicBlob: signer(name).publicBlob,
        });
        expect(sshVerify(text, Buffer.from('another'), namespace)).toEqual({
          ok: false,
          fault: 'it is not of this receipt',
        });
        expect(sshVerify(text, message, 'file')).toEqual({
          ok: false,
          fault: 'it is for another purpose than file',
        });
      }
    });
  });

  it.each(['ed25519', 'rsa-2048'])('of %s is byte for byte that of ssh-keygen', (name) => {
    const { stdout } = spawnSync('ssh-keygen', ['-Y', 'sign', '-q', '-f', name, '-n', namespace], {
      cwd: folder,
      input: message,
      encoding: 'utf8',
    });
    expect(sshSign(signer(name), message, namespace)).toBe(stdout);
  });

  it('with any byte flipped is refused, and never a crash', () => {
    const text = sshSign(signer('ecdsa-256'), message, namespace);
    const bytes = Buffer.from(text.split('\n').slice(1, -2).join(''), 'base64');
    for (let at = 0; at < bytes.length; at += 1) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ 0x41;
      const armored = `-----BEGIN SSH SIGNATURE-----\n${flipped.toString('base64')}\n-----END SSH SIGNATURE-----\n`;
      expect(sshVerify(armored, message, namespace).ok, `byte ${at}`).toBe(false);
    }
  });

  it.each([
    { name: 'a key with a passphrase', args: ['-t', 'ed25519', '-N', 'secret'], want: 'encrypted' },
    {
      name: 'the same in PEM',
      args: ['-t', 'rsa', '-b', '2048', '-m', 'PEM', '-N', 'secret'],
      want: 'encrypted',
    },
    { name: 'the same in PKCS #8', args: ['-t', 'ecdsa', '-m', 'PKCS8', '-N', 'secret'], want: 'encrypted' },
  ])('is not made with $name', ({ name, args, want }) => {
    const file = name.replaceAll(/\W/g, '');
    expect(keygen(['-q', '-f', file, ...args]).code).toBe(0);
    expect(readSshPrivate(keyFile(file))).toEqual({ ok: false, fault: want });
  });

  it('rejects other texts as private keys', () => {
    expect(readSshPrivate(keyFile('ed25519.pub'))).toEqual({ ok: false, fault: 'public' });
    expect(readSshPrivate('hello')).toEqual({ ok: false, fault: 'none' });
    const { privateKey } = generateKeyPairSync('x25519');
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    expect(readSshPrivate(pem)).toEqual({ ok: false, fault: 'none' });
    const cut = keyFile('ed25519').split('\n').toSpliced(2, 1).join('\n');
    expect(readSshPrivate(cut)).toEqual({ ok: false, fault: 'none' });
  });

  /** Lines of an allowed signers file, checked for a@example.com. KEY is the signing key, OTHER another one. */
  const lines: readonly { line: string; ok: boolean }[] = [
    { line: 'a@example.com KEY', ok: true },
    { line: 'b@example.com KEY', ok: false },
    { line: 'a@example.com OTHER', ok: false },
    { line: '# a@example.com KEY', ok: false },
    { line: '\n\n  \t\n# comment\n a@example.com KEY', ok: true },
    { line: '"a@example.com" KEY', ok: true },
    { line: '"a@example.com KEY', ok: false },
    { line: '"b@example.com,a@example.com" KEY', ok: true },
    { line: 'a@example.com\tKEY', ok: true },
    { line: '*@example.com KEY', ok: true },
    { line: '* KEY', ok: true },
    { line: '?@example.* KEY', ok: true },
    { line: '??@example.com KEY', ok: false },
    { line: '*,!a@example.com KEY', ok: false },
    { line: '!b@example.com,* KEY', ok: true },
    { line: '!b@example.com KEY', ok: false },
    { line: 'A@example.com KEY', ok: false },
    { line: 'a@example.com cert-authority KEY', ok: false },
    { line: 'a@example.com cert-authority KEY\na@example.com KEY', ok: true },
    { line: `a@example.com namespaces="${namespace}" KEY`, ok: true },
    { line: 'a@example.com namespaces="git,sno-*" KEY', ok: true },
    { line: 'a@example.com namespaces="git,file" KEY', ok: false },
    { line: 'a@example.com namespaces="*,!sno-install-receipt" KEY', ok: false },
    { line: 'a@example.com namespaces="git" KEY\na@example.com KEY', ok: true },
    { line: 'a@example.com NAMESPACES="git" KEY', ok: false },
    { line: 'a@example.com namespaces=git KEY', ok: false },
    { line: 'a@example.com namespaces="git",namespaces="git" KEY', ok: false },
    { line: 'a@example.com valid-after="20000101" KEY', ok: true },
    { line: 'a@example.com valid-after="20000101Z",valid-before="29990101Z" KEY', ok: true },
    { line: 'a@example.com valid-after="29990101" KEY', ok: false },
    { line: 'a@example.com valid-before="200001010000" KEY', ok: false },
    { line: 'a@example.com valid-before="20000101000000Z" KEY', ok: false },
    { line: 'a@example.com valid-before="2999" KEY', ok: false },
    { line: 'a@example.com valid-after="20001301" KEY', ok: false },
    { line: 'a@example.com valid-after="00000101" KEY', ok: false },
    { line: 'a@example.com valid-after="00990101" KEY', ok: false },
    { line: 'a@example.com valid-after="19700101Z" KEY', ok: false },
    { line: 'a@example.com valid-after="19700102Z" KEY', ok: true },
    { line: 'a@example.com valid-after="29990101",valid-before="20000101" KEY', ok: false },
    { line: 'a@example.com no-touch-required KEY', ok: false },
    { line: 'a@example.com namespaces="git" , KEY', ok: false },
    { line: 'a@example.com', ok: false },
    { line: 'a@example.com ssh-ed25519 AAAA', ok: false },
    { line: 'a@example.com ssh-ed25519 AAAA\na@example.com KEY', ok: true },
    { line: '"a@example.com KEY\na@example.com KEY', ok: true },
    { line: 'a@example.com bogus KEY\na@example.com KEY', ok: true },
    { line: 'a@example.com namespaces="a",namespaces="b" KEY\na@example.com KEY', ok: true },
    { line: 'a@example.com valid-after="29990101" KEY\na@example.com KEY', ok: true },
    { line: 'b@example.com ssh-ed25519 AAAA\na@example.com KEY', ok: true },
    { line: 'a@example.com KEY with a comment', ok: true },
    { line: 'a@example.com OTHER\na@example.com KEY', ok: true },
    { line: '', ok: false },
  ];
  const question = () => ({ publicBlob: signer('ed25519').publicBlob, namespace, at: new Date() });
  const text = (line: string): string => {
    const key = (name: string): string => keyFile(`${name}.pub`).split(' ').slice(0, 2).join(' ');
    return `${line.replaceAll('KEY', key('ed25519')).replaceAll('OTHER', key('ecdsa-256'))}\n`;
  };

  it.each(lines)('is allowed by $line: $ok', ({ line, ok }) => {
    writeFileSync(join(folder, 'allowed'), text(line));
    writeFileSync(join(folder, 'ours.sig'), sshSign(signer('ed25519'), message, namespace));
    const args = ['-Y', 'verify', '-f', 'allowed', '-I', 'a@example.com', '-n', namespace, '-s', 'ours.sig'];
    const real = keygen(args, message);
    expect({ real: real.code === 0, said: real.said }).toMatchObject({ real: ok });
    expect(findSigner(text(line), { ...question(), principal: 'a@example.com' }).ok).toBe(ok);
  });

  it('accepts any signer of the file by default', () => {
    const answer: SignerResult = findSigner(text('b@example.com OTHER\n*@example.com KEY'), question());
    expect(answer).toEqual({ ok: true, principals: '*@example.com' });
  });

  it('reports the line that rejects the signature', () => {
    expect(findSigner(text('# a\na@example.com namespaces="git" KEY'), question())).toEqual({
      ok: false,
      line: 2,
      fault: `its key may not sign for ${namespace}`,
    });
  });

  it('by a key that is only public has no signer', () => {
    const { publicKey } = generateKeyPairSync('x448');
    expect(sshPublicBlob(createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })))).toBeUndefined();
  });
});
