// Does what sites cannot be made without, and nothing else, in one thread and the same libraries: draws their keys or reads drawn ones,
// signs, hashes their passwords, packs, encrypts. Prints the CPU (ms) a site. Its argument is a file with the work of one site:
// { sites, drawn: { kind: keys }, read: [PEM], signatures: [{ hash, bytes, kind, curve }], packed: [{ does, options, contents }],
//   hashes, sealed?: { bytes, recipient }, kit?: { bytes, recipient, identity } }
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import zlib from 'node:zlib';

import { decryptAge, encryptAge } from '../.cache/modules/formats/age.js';
import { bcryptHash } from '../.cache/modules/formats/keys/bcrypt.js';
import { generateEcKey } from '../.cache/modules/formats/keys/private-key.js';
import { privateKeyOf } from '../.cache/modules/formats/keys/private-key.js';
import { generateRsaKey } from '../.cache/modules/formats/keys/rsa-key.js';

const work = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const generators = {
  'rsa-2048': () => generateRsaKey(2048),
  'p-256': () => generateEcKey('P-256'),
};
const signers = {
  rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
  prime256v1: generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey,
};
const password = 'AbCdE-fGhIj-kLmNo-pQrSt';
const state = work.sealed && randomBytes(work.sealed.bytes);
const kit = work.kit && Buffer.from(await encryptAge(randomBytes(work.kit.bytes), recipients(work.kit)));

// What is loaded with the first of them is no site's.
await oneSite();
const before = process.cpuUsage();
for (let site = 0; site < work.sites; site += 1) await oneSite();
const { user, system } = process.cpuUsage(before);
process.stdout.write(JSON.stringify((user + system) / 1000 / work.sites));

async function oneSite() {
  for (const [kind, count] of Object.entries(work.drawn)) {
    for (let key = 0; key < count; key += 1) await generators[kind]();
  }
  if (kit !== undefined) await decryptAge(kit, { identities: [work.kit.identity], passphrases: [] });
  for (const pem of work.read) privateKeyOf(pem);
  for (const { hash, bytes, kind, curve } of work.signatures)
    sign(hash, Buffer.alloc(bytes), signers[curve ?? kind]);
  for (let hash = 0; hash < work.hashes; hash += 1) await bcryptHash(password);
  for (const { does, options, contents } of work.packed) zlib[does](Buffer.from(contents, 'base64'), options);
  if (state !== undefined) await encryptAge(state, recipients(work.sealed));
}

function recipients({ recipient }) {
  return { recipients: [recipient] };
}
