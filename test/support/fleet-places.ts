import { fleetFiles, fleetText } from '../fleet/files.js';
import type { Place } from './secret-places.js';

const { 'sites.csv': table = '', 'base/sno-config.yaml': snoConfig = '' } = fleetFiles;

function cell(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** Places of a secret in the files of a fleet. */
export const fleetPlaces: readonly (Place & { readonly file: string })[] = [
  { file: 'sites.csv', name: 'as the whole', write: (secret) => secret },
  { file: 'sites.csv', name: 'as a cell', write: (secret) => table.replace('192.168.126.10', cell(secret)) },
  {
    file: 'sites.csv',
    name: 'as a cell without quotes',
    write: (secret) => table.replace('192.168.126.10', secret),
  },
  {
    file: 'sites.csv',
    name: 'as a column',
    write: (secret) => table.replace('name,ip', `name,ip,${cell(secret)}`),
  },
  { file: 'sites.csv', name: 'as a name', write: (secret) => `${table}${cell(secret)},192.168.126.12\n` },
  { file: 'sites.csv', name: 'behind an open quote', write: (secret) => `${table}a,"${secret}` },
  {
    file: 'base/sno-config.yaml',
    name: 'as a variable',
    write: (secret) => `${snoConfig}ntpSources: [${JSON.stringify(`\${${secret}}`)}]\n`,
  },
  {
    file: 'base/sno-config.yaml',
    name: 'as the default of a variable',
    write: (secret) => `${snoConfig}ntpSources: [${JSON.stringify(`\${time:-${secret}}`)}]\n`,
  },
  { file: 'overrides/north-1/sno-config.yaml', name: 'as the whole', write: (secret) => secret },
  {
    file: 'overrides/north-1/sno-config.yaml',
    name: 'as an address',
    write: (nodeIP) => JSON.stringify({ nodeIP }),
  },
  { file: 'fleet.yaml', name: 'as the whole', write: (secret) => secret },
  {
    file: 'fleet.yaml',
    name: 'as the table',
    write: (sites) => fleetText().replace('sites.csv', JSON.stringify(sites)),
  },
  {
    file: 'fleet.yaml',
    name: 'as a variable',
    write: (ip) => fleetText(`variables: ${JSON.stringify({ ip, [ip]: ip })}\n`),
  },
  {
    file: 'fleet.yaml',
    name: 'as the folder of keys',
    write: (keys) => fleetText(`keys: ${JSON.stringify(keys)}\n`),
  },
  {
    file: 'fleet.yaml',
    name: 'as a recipient',
    write: (secret) => fleetText(`recipients: ${JSON.stringify([secret])}\n`),
  },
];
