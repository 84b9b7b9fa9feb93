// Preloaded into the command: whatever asks for chance fails, as does whatever takes long to turn a password into a hash.
import crypto from 'node:crypto';
import { createRequire, syncBuiltinESMExports } from 'node:module';

const sources = [
  'checkPrime',
  'generateKeyPair',
  'generateKeyPairSync',
  'generatePrime',
  'generatePrimeSync',
  'randomFill',
  'randomFillSync',
  'randomInt',
  'randomUUID',
];
const { randomBytes, sign } = crypto;
for (const name of sources) crypto[name] = refuse(name);
crypto.webcrypto.getRandomValues = refuse('getRandomValues');
Math.random = refuse('Math.random');
const bcrypt = createRequire(import.meta.url)('bcrypt');
for (const name of ['genSalt', 'genSaltSync', 'hash', 'hashSync']) bcrypt[name] = refuse(`bcrypt ${name}`);
// Eight bytes name the claim of a lock.
crypto.randomBytes = (size, ...rest) => (size === 8 ? randomBytes(size, ...rest) : refuse('randomBytes')());
crypto.sign = (...args) => {
  // An ECDSA signature holds a number that is drawn; RSASSA-PKCS1-v1_5 draws nothing.
  if (args[2].asymmetricKeyType === 'ec') throw new Error('chance was asked for: sign');
  return sign(...args);
};
syncBuiltinESMExports();

function refuse(name) {
  return () => {
    throw new Error(`chance was asked for: ${name}`);
  };
}
