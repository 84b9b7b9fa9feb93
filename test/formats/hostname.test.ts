import { expect, test } from 'vitest';

import { domainNameFault, isDomainName } from '../../src/formats/hostname.js';

const label63 = 'a'.repeat(63);

test.each([
  { given: 'sno', want: undefined },
  { given: 'sno.example.com', want: undefined },
  { given: '4ever-1.example.com', want: undefined },
  { given: `${label63}.com`, want: undefined },
  { given: '', want: 'it is empty' },
  { given: 'Sno', want: 'it has upper-case letters' },
  { given: 'my_sno', want: 'it has an underscore' },
  { given: 'a..b', want: 'it starts or ends with a dot, or has two dots in a row' },
  { given: 'a.', want: 'it starts or ends with a dot, or has two dots in a row' },
  { given: '-a', want: 'a part between dots starts or ends with "-"' },
  { given: 'a-.b', want: 'a part between dots starts or ends with "-"' },
  { given: `${label63}a.com`, want: 'a part between dots is longer than 63 characters' },
  { given: `${label63}.${label63}.${label63}.${label63}`, want: 'it is longer than 253 characters' },
  { given: 'a b', want: 'only letters, digits, "-" and "." are allowed' },
  { given: 'müller', want: 'only letters, digits, "-" and "." are allowed' },
])('domainNameFault("$given") returns $want', ({ given, want }) => {
  expect(domainNameFault(given)).toBe(want);
});

test('isDomainName does not care about case', () => {
  expect(['SNO.Example.com', 'a_b'].map(isDomainName)).toEqual([true, false]);
});
