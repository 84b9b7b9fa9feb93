// Scenarios of the kill tests: the files of a folder, and the command that runs in it and is killed.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A throwaway key pair, the same as in test/support/age-keys.ts. */
const ours = {
  recipient: 'age1zlxej29vtsht5wc8ag6lgyxxjslvk6lc64cgq7pcc2jh6lnzqdess4j7aq',
  identity: 'AGE-SECRET-KEY-1PUE2Y5Z34QG0WREAZ7JXC8MWELRVHKX5ZFERSA8S0XNFV3SX9T5SNS6TGR',
};
const othersRecipient = 'age1jw3zwjfe9dh7ylswxp8gh9rr3jcfw2tqd9f2mzvg47yy6qp3edcsegwcng';
const config = readFileSync('fixtures/configs/minimal/install-config.yaml', 'utf8');
const snoConfig = (fields) => `apiVersion: sno-install/v1alpha1\nkind: SingleNodeConfig\n${fields}\n`;
const sealed = snoConfig(`state: { recipients: [${ours.recipient}], encryptOutputs: true }`);
const create = ['create', 'single-node-ignition-config'];
const served = 'bootstrap-in-place-for-live-iso.ign';

/** Includes a file that the program does not own, to detect changes to it. */
const site = { 'install-config.yaml': config, 'notes.txt': 'whose disk this is\n' };
const fleetFiles = {
  'base/install-config.yaml': config.replace('name: site1', 'name: ${name}'),
  'base/sno-config.yaml': snoConfig('hostname: ${name}\nnodeIP: ${ip}'),
  'sites.csv': 'name,ip\nnorth-1,192.168.126.10\n',
  identity: ours.identity,
};
const fleetText = (more) => `apiVersion: sno-install/v1alpha1\nkind: Fleet\nsites: sites.csv\n${more}`;

/** The bytes of an encrypted file differ between runs, so only an incomplete file is a fault. */
const isTornAge = (path, text) =>
  !/^-----BEGIN AGE ENCRYPTED FILE-----\n[^]*\n-----END AGE ENCRYPTED FILE-----\n$/.test(text ?? '');

/** These files contain names, hashes and times of encrypted files and differ with them. */
const isOddEncrypted = (path, text) => {
  if (/receipt\.json$|fleet\.json$|-site\.json$/.test(path)) return !isJson(text);
  return isTornAge(path, text);
};

/**
 * `prepare`: commands that run first. `args`: the command that is killed. `isSecret`: no file may contain plain-text secrets.
 * `calls`: number of the last call at which to kill; threads count separately. `finished`: problem that the next run may report if
 * the killed run had already finished.
 */
export const scenarios = {
  'create-new': { files: { ...site }, prepare: [create], lay: keepStateAlone, args: create },
  'create-over': {
    files: site,
    prepare: [create],
    lay: (folder) => put(folder, 'sno-config.yaml', snoConfig('certificates: { backdate: 2h }')),
    args: create,
  },
  renew: { files: site, prepare: [create], args: [...create, '--renew'] },
  encrypted: {
    files: { ...site, 'sno-config.yaml': sealed },
    prepare: [create],
    args: [...create, '--renew', '--identity', '../identity'],
    isSecret: true,
    isOdd: isOddEncrypted,
  },
  rotate: {
    files: { ...site, 'sno-config.yaml': snoConfig(`state: { recipients: [${ours.recipient}] }`) },
    prepare: [create],
    args: [
      ...['state', 'rotate', '--identity', '../identity'],
      ...['--recipient', ours.recipient, '--recipient', othersRecipient],
    ],
    isOdd: isTornAge,
  },
  iso: {
    files: site,
    prepare: [create],
    lay: (folder) => copyFileSync(join(dirname(folder), 'live.iso'), join(folder, 'live.iso')),
    args: ['create', 'single-node-iso', '--iso', 'live.iso'],
    finished: 'media/output',
  },
  pxe: {
    files: site,
    prepare: [create],
    args: ['create', 'single-node-pxe', '--rootfs', 'http://192.0.2.1/rhcos-live-rootfs.x86_64.img'],
  },
  fleet: {
    files: { ...fleetFiles, 'fleet.yaml': fleetText('') },
    prepare: [['fleet', 'create', '--jobs', '1']],
    args: ['fleet', 'create', '--jobs', '1', '--renew'],
    calls: 70,
    isOdd: (path, text) => !/fleet\.json$|-site\.json$/.test(path) || !isJson(text),
  },
  'fleet-encrypted': {
    files: {
      ...fleetFiles,
      'fleet.yaml': fleetText(`recipients: [${ours.recipient}]\nencryptOutputs: true\n`),
    },
    prepare: [['fleet', 'create', '--jobs', '1']],
    args: ['fleet', 'create', '--jobs', '1', '--renew', '--identity', 'identity'],
    calls: 70,
    isSecret: true,
    isOdd: isOddEncrypted,
  },
  serve: {
    files: { 'notes.txt': 'the mast\n', [`out/north-1/${served}`]: '{"ignition":{"version":"3.2.0"}}' },
    prepare: [['serve', '--print-urls', 'out']],
    args: ['serve', '--revoke', 'north-1', 'out'],
    isOdd: isOddServing,
  },
};

/** For token revocation: each completed run increments the generation; the keys stay the same. */
function isOddServing(path, text, before) {
  if (!isJson(text) || before === undefined) return true;
  const [old, found] = [JSON.parse(before), JSON.parse(text)];
  const same = ({ tokenKey, authority, viewerGeneration }) =>
    JSON.stringify([tokenKey, authority, viewerGeneration]);
  return same(old) !== same(found) || !(found.generations['north-1'] >= 1);
}

function isJson(text) {
  try {
    JSON.parse(text ?? '');
    return true;
  } catch {
    return false;
  }
}

/** The state after a checkout: inputs and keys without outputs. */
function keepStateAlone(folder, { remove }) {
  for (const path of [served, 'worker.ign', 'auth', 'metadata.json', 'receipt.json'])
    remove(join(folder, path));
}

/** Writes a file below a folder. */
export function put(folder, path, text) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text, { mode: 0o600 });
}

export const identityFile = ours.identity;
