// Preloaded into the command: every use of randomness fails. So does the hash of a password, which needs a salt.
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

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
// Eight random bytes are the name of a lock's claim.
crypto.randomBytes = (size, ...rest) => (size === 8 ? randomBytes(size, ...rest) : refuse('randomBytes')());
crypto.sign = (...args) => {
  // An ECDSA signature contains a random number; RSASSA-PKCS1-v1_5 is deterministic.
  if (args[2].asymmetricKeyType === 'ec') throw new Error('random values requested: sign');
  return sign(...args);
};
syncBuiltinESMExports();

function refuse(name) {
  return () => {
    throw new Error(`random values requested: ${name}`);
  };
}
