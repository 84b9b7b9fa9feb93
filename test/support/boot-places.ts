import { fleetFiles, fleetText } from '../fleet/files.js';
import type { Place } from './secret-places.js';

const block = `boot:
  address: \${bmc}
  certificate: \${bmcCertificate}
  credentials: bmc.yaml.age
`;
const table = `name,ip,bmc,bmcCertificate\nnorth-1,192.168.126.10,192.0.2.1,${'ab'.repeat(32)}\n`;
const url = 'https://media.example.com/north-1/live.iso';
const urls = JSON.stringify({ sites: [{ name: 'north-1', url }] });
const users = "'*': { username: operator, password: word }\n";

/** A fleet with booted machines: its image list and its BMC users. */
export const bootFiles: Readonly<Record<string, string>> = {
  ...fleetFiles,
  'fleet.yaml': fleetText(block),
  'sites.csv': table,
  'urls.json': urls,
  'bmc.yaml': users,
};

function inQuotes(text: string): string {
  return JSON.stringify(text);
}

/** Places of a secret in the input files of `fleet boot`, correct and misplaced. */
export const bootPlaces: readonly (Place & { readonly file: string })[] = [
  {
    file: 'sites.csv',
    name: 'as an address',
    write: (secret) => table.replace('192.0.2.1', `"${secret.replaceAll('"', '""')}"`),
  },
  {
    file: 'sites.csv',
    name: 'as the password of an address',
    write: (secret) => table.replace('192.0.2.1', `"https://root:${secret.replaceAll('"', '""')}@192.0.2.1"`),
  },
  {
    file: 'sites.csv',
    name: 'as a fingerprint',
    write: (secret) => table.replace('ab'.repeat(32), `"${secret.replaceAll('"', '""')}"`),
  },
  {
    file: 'fleet.yaml',
    name: 'as an address',
    write: (secret) => fleetText(block.replace('${bmc}', () => inQuotes(secret))),
  },
  {
    file: 'fleet.yaml',
    name: 'as the file of credentials',
    write: (secret) => fleetText(block.replace('bmc.yaml.age', () => inQuotes(secret))),
  },
  {
    file: 'fleet.yaml',
    name: 'as the file of authorities',
    write: (secret) => fleetText(`${block}  authorities: ${inQuotes(secret)}\n`),
  },
  {
    file: 'fleet.yaml',
    name: 'as a field',
    write: (secret) => fleetText(`${block}  ${inQuotes(secret)}: ${inQuotes(secret)}\n`),
  },
  { file: 'urls.json', name: 'as the whole', write: (secret) => secret },
  {
    file: 'urls.json',
    name: 'as a URL',
    write: (secret) => urls.replace(inQuotes(url), () => inQuotes(secret)),
  },
  {
    file: 'urls.json',
    name: 'in a URL',
    write: (secret) => urls.replace('/north-1/', () => `/${encodeURIComponent(secret)}/`),
  },
  { file: 'bmc.yaml', name: 'as the whole', write: (secret) => secret },
  {
    file: 'bmc.yaml',
    name: 'as a password',
    write: (secret) => users.replace('word', () => inQuotes(secret)),
  },
  {
    file: 'bmc.yaml',
    name: 'as a user without a password',
    write: (username) => JSON.stringify({ '*': { username } }),
  },
  {
    file: 'bmc.yaml',
    name: 'as a name of sites',
    write: (secret) => `${inQuotes(secret)}: ${inQuotes(secret)}\n`,
  },
];
