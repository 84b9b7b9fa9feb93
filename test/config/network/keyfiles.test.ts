import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { uuidOfUrl } from '../../../src/formats/uuid.js';
import { readYaml } from '../../../src/formats/yaml/yaml.js';
import { toData } from '../../../src/formats/yaml/yaml-tree.js';
import { describedKeyfiles } from './described.js';
import { descriptionCorpus } from './description-corpus.js';

/** Recorded output of nmstatectl; test/config/network/nmstate.machines.test.ts compares it with the real program. */
const recorded = JSON.parse(readFileSync('test/config/network/recorded-keyfiles.json', 'utf8')) as Readonly<
  Record<string, Readonly<Record<string, string>>>
>;

describe('the profiles of a description are those of nmstatectl, byte for byte', () => {
  test.each(Object.entries(descriptionCorpus))('%s', (name, description) => {
    expect(describedKeyfiles(description)).toEqual(recorded[name]);
  });

  test('for everything that was recorded', () => {
    expect(Object.keys(recorded)).toEqual(Object.keys(descriptionCorpus));
    expect(Object.keys(recorded).length).toBeGreaterThanOrEqual(40);
  });
});

/** The description with its numbers and booleans in quotes, as templates write them. */
function withQuotes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withQuotes);
  if (typeof value === 'object' && value !== null)
    // `off` of a mode is a text, which YAML 1.1 reads as false.
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [
        key,
        key === 'mode' && each === false ? 'off' : withQuotes(each),
      ]),
    );
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

test.each(Object.entries(descriptionCorpus))(
  'quoted numbers and booleans change nothing: %s',
  (name, description) => {
    const { documents } = readYaml(description);
    const quoted = JSON.stringify(withQuotes(documents[0] && toData(documents[0])));
    expect(describedKeyfiles(quoted)).toEqual(recorded[name]);
  },
);

test('a route to an address is one to a host', () => {
  const text = (destination: string): string =>
    `interfaces: [{name: eno1, type: ethernet, state: up, ipv4: {enabled: true, address: [{ip: 192.0.2.2, prefix-length: 24}]}}]
routes: {config: [{destination: ${destination}, next-hop-address: 192.0.2.1, next-hop-interface: eno1}]}
`;
  expect(describedKeyfiles(text('10.0.0.1'))).toEqual(describedKeyfiles(text('10.0.0.1/32')));
});

test.each([
  ['mtu: "9000"', true],
  ['mtu: "0x2328"', true],
  ['mtu: "9000 "', false],
  ['mtu: "-1"', false],
  ['mtu: ""', false],
  ['mtu: "+9000"', true],
  ['mtu: "09000"', true],
  ['mtu: "0X2328"', false],
  ['mtu: "9_000"', false],
  ['mtu: "9000.0"', false],
  ['mtu: 9000.0', false],
  ['mtu: 9e3', false],
  ['mtu: "-0"', false],
  ['ipv4: {enabled: 1.0}', false],
  ['ipv4: {enabled: "1.0"}', false],
  ['ipv4: {enabled: "0x1"}', false],
  ['ipv4: {enabled: " true"}', false],
  ['ipv4: {enabled: "yes"}', true],
  ['ipv4: {enabled: "Off"}', true],
  ['ipv4: {enabled: 1}', true],
  ['ipv4: {enabled: "maybe"}', false],
  ['ipv4: {enabled: 2}', false],
])('%s is accepted: %s', (field, isAccepted) => {
  const text = `interfaces: [{name: eno1, type: ethernet, state: up, ${field}}]\n`;
  const read = describedKeyfiles(text);
  expect(Array.isArray(read) && read.some((line: string) => /wrong-type|mtu/.test(line))).toBe(!isAccepted);
});

test.each([
  ['metric: "+100"', true],
  ['metric: "0100"', true],
  ['metric: "-0"', true],
  ['metric: "0x64"', false],
  ['metric: 100.0', false],
  ['table-id: "0x64"', true],
  ['table-id: "-0"', false],
])('a route with %s is accepted: %s', (field, isAccepted) => {
  const text = `interfaces: [{name: eno1, type: ethernet, state: up, ipv4: {enabled: true, address: [{ip: 192.0.2.2, prefix-length: 24}]}}]
routes: {config: [{destination: 10.0.0.0/8, next-hop-address: 192.0.2.1, next-hop-interface: eno1, ${field}}]}
`;
  const read = describedKeyfiles(text);
  expect(Array.isArray(read) && read.some((line: string) => line.includes('wrong-type'))).toBe(!isAccepted);
});

test('the UUID of a URL is that of version 5', () => {
  // python3 -c "import uuid; print(uuid.uuid5(uuid.NAMESPACE_URL, 'https://www.example.com/'))"
  expect(uuidOfUrl('https://www.example.com/')).toBe('3d3ed9d2-aa3d-5fa6-90e8-ed662e90f559');
});
