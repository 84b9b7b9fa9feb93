// What is killed: each scenario lays a folder, and names the command that runs in it.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A throwaway pair, as test/support/age-keys.ts has it. */
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

/** Not of the user's own, so that a change of it is told. */
const site = { 'install-config.yaml': config, 'notes.txt': 'whose disk this is\n' };
const fleetFiles = {
  'base/install-config.yaml': config.replace('name: site1', 'name: ${name}'),
  'base/sno-config.yaml': snoConfig('hostname: ${name}\nnodeIP: ${ip}'),
  'sites.csv': 'name,ip\nnorth-1,192.168.126.10\n',
  identity: ours.identity,
};
const fleetText = (more) => `apiVersion: sno-install/v1alpha1\nkind: Fleet\nsites: sites.csv\n${more}`;

/** An encrypted file has other bytes each time: one that is not whole is odd. */
const isTornAge = (path, text) =>
  !/^-----BEGIN AGE ENCRYPTED FILE-----\n[^]*\n-----END AGE ENCRYPTED FILE-----\n$/.test(text ?? '');

/** Names, hashes and times of encrypted files differ with them. */
const isOddEncrypted = (path, text) => {
  if (/receipt\.json$|fleet\.json$|-site\.json$/.test(path)) return !isJson(text);
  return isTornAge(path, text);
};

/**
 * `prepare` are the commands that come before, `args` is the one that is killed. `isSecret`: nothing may be there as plain text.
 * `calls`: up to which call a kill is tried, where threads count for themselves. `finished`: the problem by which the run that follows
 * may refuse, since what was killed had ended.
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

/** Takes back tokens: each run that ended counts one more; what they are made of stays. */
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

/** As after a checkout: inputs and keys, and no outputs. */
function keepStateAlone(folder, { remove }) {
  for (const path of [served, 'worker.ign', 'auth', 'metadata.json', 'receipt.json'])
    remove(join(folder, path));
}

/** Lays files below a folder. */
export function put(folder, path, text) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text, { mode: 0o600 });
}

export const identityFile = ours.identity;
