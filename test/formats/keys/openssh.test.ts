import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { authorizedKey } from '../../../src/formats/keys/openssh.js';
import { privateKeyOf } from '../../../src/formats/keys/private-key.js';
import { describeWith } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';
import { seededEcKey, seededRsaKey } from '../../support/seeded-keys.js';

/** The output of `ssh-keygen -y` for the throwaway key of this label, without a comment. */
const known =
  'ssh-rsa ' +
  'AAAAB3NzaC1yc2EAAAADAQABAAABAQDDPX+cJcxN7w+AQAK+XL4xsDMW9fIkC3HmBot/U1xDPHPTkIRxQXDMJZXotwdPv5xdFgn2' +
  'pYyn4uljdsU/PjCgDaIn/1mJrL6clXOSHtHxP/+0SI8q5YOQB/brMTdD4ymMgUWnPys5ymBe7jVofrS9btXCW9+JyYgb8riAcN2Q' +
  'WCP15py/NujpI3wGcdI67r+xBRbuVRqgurV7ekckttzCMxxx8Gy7U3E/BYeqnDx7Yjzmj7ECeC3c93kJH4ZPzXIuSdy4g4IkcEHs' +
  '/VykLFJUCadg1XxEuu/lkLmk8rGCusALaKKGuA3aPsRTrqdJDnN1aEFkh2pC+3p+WL/G6qIj';

it('an RSA key gives the line of authorized_keys that ssh-keygen gives', () => {
  expect(authorizedKey(privateKeyOf(seededRsaKey('tls/bootstrap-ssh', 2048)))).toBe(known);
});

describeWith(['ssh-keygen'], 'ssh-keygen', () => {
  it.each([
    ['RSA-2048', () => seededRsaKey('ssh', 2048)],
    ['P-256', () => seededEcKey('ssh', 'P-256')],
    ['P-384', () => seededEcKey('ssh', 'P-384')],
  ] as const)('derives the same line from a key of kind %s', (_kind, draw) => {
    const pem = draw();
    const path = join(scratchFolder(), 'key');
    // ssh-keygen reads PKCS#8 from openssl and requires that others cannot read the file.
    writeFileSync(path, pem, { mode: 0o600 });

    const { stdout } = spawnSync('ssh-keygen', ['-y', '-f', path], { encoding: 'utf8' });

    expect(`${authorizedKey(privateKeyOf(pem))}\n`).toBe(stdout);
  });
});
