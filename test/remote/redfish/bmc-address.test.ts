import { expect, test } from 'vitest';

import { isSameMachine, parseBmcAddress } from '../../../src/remote/redfish/bmc-address.js';

const system = '/redfish/v1/Systems/1';

test.each([
  ['192.0.2.10', { origin: 'https://192.0.2.10' }],
  ['2001:db8::10', { origin: 'https://[2001:db8::10]' }],
  ['bmc.example.com:8443', { origin: 'https://bmc.example.com:8443' }],
  ['https://bmc.example.com/', { origin: 'https://bmc.example.com' }],
  ['https://bmc.example.com/redfish/v1/', { origin: 'https://bmc.example.com' }],
  [`redfish-virtualmedia://192.0.2.10${system}`, { origin: 'https://192.0.2.10', system }],
  [`redfish-virtualmedia+https://192.0.2.10:8000${system}/`, { origin: 'https://192.0.2.10:8000', system }],
  [`redfish-virtualmedia+http://192.0.2.10:8000${system}`, { origin: 'http://192.0.2.10:8000', system }],
  [
    'idrac-virtualmedia://192.0.2.10/redfish/v1/Systems/System.Embedded.1',
    { origin: 'https://192.0.2.10', system: '/redfish/v1/Systems/System.Embedded.1', isIdrac: true },
  ],
  ['idrac-redfish+http://192.0.2.10', { origin: 'http://192.0.2.10', isIdrac: true }],
  [`ilo5-virtualmedia://192.0.2.10${system}`, { origin: 'https://192.0.2.10', system }],
  ['ipmi://192.0.2.10', { fault: 'uses a protocol without Redfish virtual media (ipmi://)' }],
  [
    'ilo4-virtualmedia://192.0.2.10',
    { fault: 'uses a protocol without Redfish virtual media (ilo4-virtualmedia://)' },
  ],
  ['https://root:calvin@192.0.2.10', { fault: 'contains a user name or password' }],
  ['https://192.0.2.10/?x=1', { fault: 'contains a query or fragment' }],
  ['https://192.0.2.10/ui', { fault: 'has a path other than /redfish/v1/Systems/…' }],
  ['ftp://192.0.2.10', { fault: 'is not a valid BMC address' }],
  ['', { fault: 'is not a valid BMC address' }],
  ['not an address', { fault: 'is not a valid BMC address' }],
])('%s', (text, want) => {
  expect(parseBmcAddress(text)).toEqual(want);
});

test.each([
  ['192.0.2.1', '192.0.2.1', true],
  ['192.0.2.1', '192.0.2.2', false],
  ['192.0.2.1/redfish/v1/Systems/1', '192.0.2.1/redfish/v1/Systems/2', false],
  ['192.0.2.1/redfish/v1/Systems/1', '192.0.2.1', true],
])('%s and %s: one machine is %s', (left, right, want) => {
  const [one, other] = [parseBmcAddress(left), parseBmcAddress(right)];
  if ('fault' in one || 'fault' in other) throw new Error('both are addresses');
  expect(isSameMachine(one, other)).toBe(want);
});
