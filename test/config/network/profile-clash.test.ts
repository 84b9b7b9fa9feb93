import { expect, it } from 'vitest';

import { isProfilePath, profileClash, profileNames } from '../../../src/config/network/profile-clash.js';

const uuid = '11111111-2222-3333-4444-55555555555a';
const eno1 = '[connection]\nid=a\ntype=ethernet\ninterface-name=eno1\n';

it.each([
  ['one interface', eno1, eno1.replace('id=a', 'id=b'), 'interface-name "eno1"'],
  [
    'two names of one type',
    eno1,
    eno1.replace('id=a', 'id=b').replace('ethernet', '802-3-ethernet'),
    'interface-name "eno1"',
  ],
  [
    'one UUID',
    `[connection]\nid=a\nuuid=${uuid}\n`,
    `[connection]\nid=b\nuuid=${uuid.toUpperCase()}\n`,
    `uuid "${uuid}"`,
  ],
  ['one ID', eno1, '[connection]\nid=a\ntype=ethernet\ninterface-name=eno2\n', 'id "a"'],
  ['one that is not activated', eno1, eno1.replace('id=a', 'id=b\nautoconnect=false'), undefined],
  ['two interfaces', eno1, eno1.replace('id=a', 'id=b').replace('eno1', 'eno2'), undefined],
  // In Open vSwitch the bridge, port and interface have the same name.
  ['two types', eno1, eno1.replace('id=a', 'id=b').replace('ethernet', 'ovs-port'), undefined],
  ['no names', '[connection]\ntype=ethernet\n', '[connection]\ntype=ethernet\n', undefined],
  ['keys of another section', eno1, '[vlan]\nid=a\ninterface-name=eno1\n', undefined],
])('%s', (_name, left, right, want) => {
  expect(profileClash(profileNames(left), profileNames(right))).toBe(want);
  expect(profileClash(profileNames(right), profileNames(left))).toBe(want);
});

it.each([
  ['/etc/NetworkManager/system-connections/eno1.nmconnection', true],
  ['/etc/NetworkManager/system-connections/.eno1', false],
  ['/etc/NetworkManager/conf.d/a.conf', false],
])('%s', (path, want) => {
  expect(isProfilePath(path)).toBe(want);
});
