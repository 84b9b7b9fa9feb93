import { expect, test } from 'vitest';

import { withProfileUuids } from '../../../src/fleet/review/render-for-fleet.js';
import { uuidOfUrl } from '../../../src/formats/uuid.js';

function keyfile(lines: readonly string[], more = ''): string {
  return `[connection]\n${lines.map((line) => `${line}\n`).join('')}${more}`;
}

const id = 'eno1.100';
const uuid = uuidOfUrl(`vlan://${id}`);
const base = uuidOfUrl('ethernet://uplink');

test.each([
  {
    name: 'a UUID of the name is shown by its cause',
    text: keyfile([`id=${id}`, `interface-name=${id}`, 'type=vlan', `uuid=${uuid}`], '\n[vlan]\nid=100\n'),
    want: keyfile(
      [`id=${id}`, `interface-name=${id}`, 'type=vlan', `uuid=<UUID of vlan://${id}>`],
      '\n[vlan]\nid=100\n',
    ),
  },
  {
    name: 'the interface gives the UUID of a profile with a name of its own',
    text: keyfile(['id=uplink', `interface-name=${id}`, 'type=vlan', `uuid=${uuid}`]),
    want: keyfile(['id=uplink', `interface-name=${id}`, 'type=vlan', `uuid=<UUID of vlan://${id}>`]),
  },
  {
    name: 'several profiles in a manifest, with a reference',
    text: `source: |-\n  ${keyfile(['id=uplink', 'type=802-3-ethernet', `uuid=${base}`]).replaceAll('\n', '\n  ')}\n  [connection]\n  id=${id}\n  type=vlan\n  uuid=${uuid}\n\n  [vlan]\n  parent=${base}\n`,
    want: `source: |-\n  ${keyfile(['id=uplink', 'type=802-3-ethernet', 'uuid=<UUID of ethernet://uplink>']).replaceAll('\n', '\n  ')}\n  [connection]\n  id=${id}\n  type=vlan\n  uuid=<UUID of vlan://${id}>\n\n  [vlan]\n  parent=<UUID of ethernet://uplink>\n`,
  },
  ...[
    { name: 'another name', lines: ['id=eno1.101', 'type=vlan'] },
    { name: 'another type', lines: [`id=${id}`, 'type=bond'] },
    { name: 'an unknown type', lines: [`id=${id}`, 'type=wifi'] },
  ].map(({ name, lines }) => {
    const text = keyfile([...lines, `uuid=${uuid}`]);
    return { name: `a UUID that does not follow is kept: ${name}`, text, want: text };
  }),
])('$name', ({ text, want }) => {
  expect(withProfileUuids(text)).toBe(want);
});
