import { describe, expect, test } from 'vitest';

import { keyfileFaults } from '../../../src/config/network/keyfile-faults.js';
import { edited, type Edit } from '../sound-config.js';

const sound = `# The uplink.
[connection]
id=uplink
uuid=ff8b47e2-9b1c-5e04-9f8b-34671372837c
type=ethernet
interface-name=eno1

[802-1x]
identity=node
password=open[sesame]=1

[ipv4]
method=manual
address1=192.168.126.10/24,192.168.126.1

[ipv6]
method=manual
addresses=fd00::2/64
`;

const cases: readonly {
  readonly name: string;
  readonly edits: readonly Edit[];
  readonly want: readonly string[];
}[] = [
  { name: 'nothing', edits: [], want: [] },
  {
    name: 'Windows line ends',
    edits: [['uplink.\n', 'uplink.\r\n']],
    want: ['1: this line contains a control character; lines must end with a line feed only'],
  },
  {
    name: 'a line that is none',
    edits: [['identity=node', 'identity']],
    want: ['9: this is neither [section] nor key=value'],
  },
  {
    name: 'a key before all sections',
    edits: [['# The uplink.', 'id=x']],
    want: ['1: this key is before the first [section]'],
  },
  {
    name: 'no type',
    edits: [['type=ethernet\n', '']],
    want: ['1: type in section [connection] is missing'],
  },
  {
    name: 'a radio',
    edits: [['type=ethernet', 'type=wifi']],
    want: ['5: connection type "wifi" is not supported'],
  },
  {
    name: 'a UUID that is none',
    edits: [['ff8b47e2-', '']],
    want: ['4: "9b1c-5e04-9f8b-34671372837c" is not a UUID'],
  },
  {
    name: 'a name too long',
    edits: [['eno1', 'enp129s0f0np0.300']],
    want: ['6: "enp129s0f0np0.300" is not a valid interface name'],
  },
  {
    name: 'a method of initscripts',
    edits: [['method=manual', 'method=static']],
    want: ['13: method of [ipv4] must be one of auto, manual, link-local, shared, disabled, not "static"'],
  },
  {
    name: 'an address without its prefix',
    edits: [['10/24', '10']],
    want: [
      '14: "192.168.126.10,192.168.126.1" is not an IPv4 address with a prefix length, such as 192.0.2.2/24',
    ],
  },
  {
    name: 'an address of the other family',
    edits: [['fd00::2/64', '10.0.0.2/8']],
    want: ['18: "10.0.0.2/8" is not an IPv6 address with a prefix length, such as fd00::2/64'],
  },
];

describe('reports a keyfile', () => {
  test.each(cases)('$name', ({ edits, want }) => {
    const faults = keyfileFaults(edited(sound, edits));
    expect(faults.map(({ line, message }) => `${line}: ${message}`)).toEqual(want);
    expect(JSON.stringify(faults)).not.toContain('sesame');
  });
});
