import { expect, it } from 'vitest';

import { authorizedRsaKey } from '../../src/formats/openssh.js';
import { seededChance } from '../support/seeded-keys.js';

/** What `ssh-keygen -y` writes for the throwaway key of this label, without a comment. */
const known =
  'ssh-rsa ' +
  'AAAAB3NzaC1yc2EAAAADAQABAAABAQDDPX+cJcxN7w+AQAK+XL4xsDMW9fIkC3HmBot/U1xDPHPTkIRxQXDMJZXotwdPv5xdFgn2' +
  'pYyn4uljdsU/PjCgDaIn/1mJrL6clXOSHtHxP/+0SI8q5YOQB/brMTdD4ymMgUWnPys5ymBe7jVofrS9btXCW9+JyYgb8riAcN2Q' +
  'WCP15py/NujpI3wGcdI67r+xBRbuVRqgurV7ekckttzCMxxx8Gy7U3E/BYeqnDx7Yjzmj7ECeC3c93kJH4ZPzXIuSdy4g4IkcEHs' +
  '/VykLFJUCadg1XxEuu/lkLmk8rGCusALaKKGuA3aPsRTrqdJDnN1aEFkh2pC+3p+WL/G6qIj';

it('an RSA key gives the line of authorized_keys that ssh-keygen gives', async () => {
  expect(authorizedRsaKey(await seededChance.rsaKey('tls/bootstrap-ssh', 2048))).toBe(known);
});
