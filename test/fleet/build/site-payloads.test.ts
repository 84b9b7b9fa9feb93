import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { judgedPayloads, namedPayloads, sharedPayload } from '../../../src/fleet/build/site-payloads.js';
import { openFleet } from '../../../src/fleet/table/read-fleet.js';
import { payloadWarnings } from '../../../src/serve/media/payload-warnings.js';
import { madePayload } from '../../payload/made-payload.js';
import { snoConfigText } from '../../support/minimal-config.js';
import { expectOk } from '../../support/sound-value.js';
import { fleetFolder } from '../files.js';

const [own, other] = [madePayload(1), madePayload(2)];

const textOf = (payload: string | undefined): string | undefined =>
  payload && (payload === 'a.payload' ? own : other).manifest;

/** Two sites, and the payloads that they name; `a.payload` and `b.payload` lie beside fleet.yaml. */
function payloadsOf(files: Readonly<Record<string, string>>) {
  const dir = fleetFolder({ 'a.payload.json': own.manifest, 'b.payload.json': other.manifest, ...files });
  writeFileSync(join(dir, 'a.payload'), own.bytes);
  writeFileSync(join(dir, 'b.payload'), other.bytes);
  const opened = expectOk(openFleet(dir));
  const named = namedPayloads(dir, opened);
  const shared = sharedPayload(named);
  const warned = (payload: string | undefined): readonly string[] =>
    payloadWarnings(judgedPayloads(opened, named, textOf(payload)), payload).map(
      ({ code, severity, message }) => `${severity} ${code}: ${message}`,
    );
  return { shared: shared?.replace(`${dir}/`, ''), warned };
}

const base = (file: string): Readonly<Record<string, string>> => ({
  'base/sno-config.yaml': snoConfigText(`hostname: \${name}\nnodeIP: \${ip}\npayload: { file: ${file} }\n`),
});

test('one payload of all sites is served without warnings', () => {
  const { shared, warned } = payloadsOf(base('../a.payload'));
  expect([shared, warned('a.payload')]).toEqual(['a.payload', []]);
});

test.each<[string, Readonly<Record<string, string>>, string | undefined, readonly string[]]>([
  [
    'no payload of the server',
    base('../a.payload'),
    undefined,
    ['warning payload/not-on-medium: the ISOs do not contain the payload of 2 sites (north-1, north-2)'],
  ],
  [
    'another payload',
    { ...base('../a.payload'), 'overrides/north-2/sno-config.yaml': 'payload: { file: ../b.payload }\n' },
    'a.payload',
    ['warning payload/other: a.payload is not the payload of 1 site (north-2)'],
  ],
  [
    'a site without a payload',
    { 'overrides/north-2/sno-config.yaml': 'payload: { file: ../b.payload }\n' },
    'b.payload',
    [
      'warning payload/not-on-medium: the ISOs are served without b.payload to 1 site (north-1), whose configuration names no payload',
    ],
  ],
  ['no payload at all', {}, undefined, []],
])('%s', (_name, files, payload, want) => {
  expect(payloadsOf(files).warned(payload)).toEqual(want);
});

test('a payload that is not on this machine, or one of several, is not chosen', () => {
  expect(payloadsOf(base('../c.payload')).shared).toBeUndefined();
  const files = {
    ...base('../a.payload'),
    'overrides/north-2/sno-config.yaml': 'payload: { file: ../b.payload }\n',
  };
  expect(payloadsOf(files).shared).toBeUndefined();
});
