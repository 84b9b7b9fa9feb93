import { describe, expect, it } from 'vitest';

import { decryptAge, encryptAge, isAge, identityFault, recipientFault } from '../../src/formats/age.js';
import { ageKeys } from '../support/age-keys.js';
import { secrets } from '../support/secret-corpus.js';

const { ours, others } = ageKeys;
const openedBy = (identity: string) => ({ identities: [identity], passphrases: [] });

describe('a file of age', () => {
  it('is lines of ASCII, other ones each time, and opens with the identity of any of its recipients', async () => {
    const seal = { recipients: [others.recipient, ours.recipient] };

    const [one, two] = await Promise.all([encryptAge('a text\n', seal), encryptAge('a text\n', seal)]);

    expect(one).toMatch(
      /^-----BEGIN AGE ENCRYPTED FILE-----\n([A-Za-z0-9+/=]{1,64}\n)+-----END [A-Z ]+-----\n$/,
    );
    expect(one).not.toBe(two);
    for (const { identity } of [ours, others]) {
      const opened = await decryptAge(Buffer.from(one), openedBy(identity));
      expect(opened).toEqual({ bytes: new Uint8Array(Buffer.from('a text\n')), sealedBy: 'recipients' });
    }
  });

  it('distinguishes a wrong key from a changed byte', async () => {
    const text = await encryptAge('a text', { recipients: [ours.recipient] });
    const bytes = Buffer.from(text.replace(/-----[^-]+-----/g, ''), 'base64');
    const faults = new Set<string>();
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      const opened = await decryptAge(changed, openedBy(ours.identity));
      if ('fault' in opened) faults.add(opened.fault);
      expect(opened, `a change of byte ${at}`).not.toHaveProperty('bytes');
    }

    expect([...faults].toSorted()).toEqual(['damaged', 'no-key']);
    expect(await decryptAge(Buffer.from(text), openedBy(others.identity))).toMatchObject({ fault: 'no-key' });
    const cut = Buffer.from(text.slice(0, 200));
    expect(await decryptAge(cut, openedBy(ours.identity))).toMatchObject({ fault: 'damaged' });
  });

  it('is known by its head, armored or not', () => {
    const heads = ['\n -----BEGIN AGE ENCRYPTED FILE-----\n', 'age-encryption.org/v1\n', '{"version":1}', ''];

    expect(heads.map((head) => isAge(Buffer.from(head)))).toEqual([true, true, false, false]);
  });
});

describe('reports the kind of an invalid key without its text', () => {
  const changed = (text: string): string => `${text.slice(0, -1)}${text.endsWith('q') ? 'p' : 'q'}`;

  it.each([
    [ours.recipient, undefined],
    [changed(ours.recipient), 'is mistyped: its checksum does not match'],
    ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI', 'is an SSH key'],
    [ours.identity, 'is an identity'],
    ['age1yubikey1qwfyq0v0hqgqs4jz6xqzq2h8f0u2nq0sqk8k4v8e6wnlq7v6xs', 'is not an age recipient'],
    [`${ours.recipient}${ours.recipient}`, 'is not an age recipient'],
    [ours.recipient.toUpperCase(), 'is not an age recipient'],
    ['', 'is not an age recipient'],
  ])('as a recipient: %s', async (text, want) => {
    const reason = await recipientFault(text);

    if (want === undefined) expect(reason).toBeUndefined();
    else expect(reason).toContain(want);
    if (text !== '') expect(reason ?? '').not.toContain(text);
  });

  it.each([
    [ours.identity, undefined],
    [`${ours.identity.slice(0, -1)}${ours.identity.endsWith('Q') ? 'P' : 'Q'}`, 'is damaged'],
    ['AGE-PLUGIN-YUBIKEY-1QQQQ', 'is the identity of a plugin'],
    [secrets.opensshKey.text, 'is not an age identity'],
    [ours.recipient, 'is not an age identity'],
  ])('as an identity: %#', async (text, want) => {
    const reason = await identityFault(text);

    if (want === undefined) expect(reason).toBeUndefined();
    else expect(reason).toContain(want);
  });
});
