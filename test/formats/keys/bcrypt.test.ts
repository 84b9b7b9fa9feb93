import { describe, expect, it } from 'vitest';

import { bcryptHash, bcryptMatches, isBcryptHash } from '../../../src/formats/keys/bcrypt.js';

/** A published vector. Source: John the Ripper, test cases of bcrypt ("U*U", cost 5) */
const known = { password: 'U*U', hash: '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW' };

describe('bcrypt', () => {
  it("returns a hash of cost 10 in Go's format, with a new salt each time", async () => {
    const hashes = await Promise.all([bcryptHash('abcde-FGHJK'), bcryptHash('abcde-FGHJK')]);

    expect(hashes.filter((hash) => !/^\$2a\$10\$[./A-Za-z0-9]{53}$/.test(hash))).toEqual([]);
    expect(hashes[0]).not.toBe(hashes[1]);
    expect(await Promise.all(hashes.map((hash) => bcryptMatches('abcde-FGHJK', hash)))).toEqual([true, true]);
  });

  it('matches a published hash, also with the prefixes of other programs', async () => {
    const forms = ['a', 'b', 'y'].map((letter) => known.hash.replace('$2a', `$2${letter}`));

    expect(await Promise.all(forms.map((hash) => bcryptMatches(known.password, hash)))).toEqual([
      true,
      true,
      true,
    ]);
    expect(await bcryptMatches('U*V', known.hash)).toBe(false);
  });

  it.each([
    { name: 'a hash', given: known.hash, want: true },
    { name: 'a hash that lacks its end', given: known.hash.slice(0, -1), want: false },
    { name: 'a hash with a newline', given: `${known.hash}\n`, want: false },
    { name: 'two hashes', given: known.hash + known.hash, want: false },
    { name: 'another function', given: `$6$salt$${'a'.repeat(86)}`, want: false },
    { name: 'a cost that bcrypt does not know', given: known.hash.replace('$05$', '$32$'), want: false },
    { name: 'a user name before it', given: `kubeadmin:${known.hash}`, want: false },
  ])('sees whether a text is one: $name', ({ given, want }) => {
    expect(isBcryptHash(given)).toBe(want);
  });
});
