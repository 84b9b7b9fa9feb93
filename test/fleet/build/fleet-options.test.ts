import { expect, test } from 'vitest';

import { neededStdin } from '../../../src/fleet/build/fleet-options.js';
import { openFleet } from '../../../src/fleet/table/read-fleet.js';
import { snoConfigText } from '../../support/minimal-config.js';
import { fleetFolder, fleetText } from '../files.js';

const base = (line: string): string => snoConfigText(`hostname: \${name}\nnodeIP: \${ip}\n${line}\n`);
const table = 'name,ip,place\nnorth-1,10.0.0.1,a.json\nnorth-2,10.0.0.2,-\n';
const overrides = (text: string, ...names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [`overrides/${name}/sno-config.yaml`, text]));

test.each([
  ['in quotes', { 'base/sno-config.yaml': base('pullSecretFile: "-"') }, 'pullSecretFile'],
  [
    'in a map of one line',
    { 'base/sno-config.yaml': '{hostname: "${name}", sshKeyFile: "-"}' },
    'sshKeyFile',
  ],
  ['in a cell', { 'base/sno-config.yaml': base('pullSecretFile: ${place}') }, 'pullSecretFile'],
  ['behind a default', { 'base/sno-config.yaml': base('sshKeyFile: ${none:--}') }, 'sshKeyFile'],
  [
    'in a variable of fleet.yaml',
    { 'fleet.yaml': fleetText('variables: {p: "-"}\n'), 'base/sno-config.yaml': base('sshKeyFile: ${p}') },
    'sshKeyFile',
  ],
  ['in an override', overrides('sshKeyFile: "-"', 'north-2'), 'sshKeyFile'],
  [
    'in a base that the first override leaves out',
    { 'base/sno-config.yaml': base('sshKeyFile: "-"'), ...overrides('sshKeyFile: null', 'north-1') },
    'sshKeyFile',
  ],
  [
    'in a base that every override leaves out',
    { 'base/sno-config.yaml': base('sshKeyFile: "-"'), ...overrides('sshKeyFile: a', 'north-1', 'north-2') },
    undefined,
  ],
  ['in a comment', { 'base/sno-config.yaml': base('# pullSecretFile: -') }, undefined],
  ['nowhere', { 'base/sno-config.yaml': base('pullSecretFile: ./-') }, undefined],
])('the standard input is read for "-" %s', (_name, files, want) => {
  const opened = openFleet(fleetFolder({ 'sites.csv': table, ...files }));
  if (!opened.ok) throw new Error('the fleet is unsound');
  const reads: string[] = [];
  const read = { kind: 'file', bytes: Buffer.from('a') } as const;
  const found = neededStdin(opened.value, (reader) => {
    reads.push(reader);
    return read;
  });
  expect([found, reads]).toEqual(want === undefined ? [{}, []] : [{ stdin: { reader: want, read } }, [want]]);
});
