import { describe, expect, it } from 'vitest';

import { stateSettings } from '../../../src/disk/state/state-settings.js';
import type { InputRead } from '../../../src/graph/context.js';
import { inputsIn } from './laid-inputs.js';

/** The state settings of a config, and how often the file was read. */
function settingsOf(text: string | false | Uint8Array | undefined) {
  const inputs = inputsIn({});
  let reads = 0;
  const read = (path: string): InputRead => {
    if (path !== 'sno-config.yaml') return { kind: 'absent' };
    reads += 1;
    if (text === undefined) return { kind: 'absent' };
    if (text === false) return { kind: 'unreadable', reason: 'it is a folder, not a file' };
    return { kind: 'file', bytes: Buffer.from(text) };
  };
  return { settings: stateSettings({ ...inputs, read }), reads };
}

const head = 'apiVersion: sno-install/v1alpha1\nkind: SNOConfig\n';

describe('the encryption settings of sno-config.yaml', () => {
  it.each<readonly [string, object]>([
    ['state: { recipients: [age1a, age1b] }', { recipients: ['age1a', 'age1b'] }],
    ['state: { recipients: [age1b], encryptOutputs: true }', { recipients: ['age1b'], encryptOutputs: true }],
    ['state: { encryptOutputs: false }', { recipients: [], encryptOutputs: false }],
    ['state:\n  recipients:\n  - not one\n', { recipients: ['not one'] }],
    ['state: { recipients: [] }', { recipients: [] }],
  ])('%j', (text, want) => {
    expect(settingsOf(head + text).settings).toStrictEqual(want);
  });

  it.each([
    ['is not a list', 'state: { recipients: age1a }'],
    ['is a map', 'state: { recipients: { age1a: age1b } }'],
    ['is not a string', 'state: { recipients: [1, null, [age1a], { a: age1a }] }'],
    ['is not a boolean', 'state: { recipients: [], encryptOutputs: "yes" }'],
    ['is a list of booleans', 'state: { encryptOutputs: [true] }'],
    ['is at another path', 'recipients: [age1a]\nencryptOutputs: true\n'],
    ['is in a list', 'state: [{ recipients: [age1a] }]'],
    ['is in a document that is not a map', '- recipients: [age1a]\n'],
    ['cannot be parsed', 'state: { recipients: [age1a'],
  ])('are empty if the field %s', (_name, text) => {
    expect(settingsOf(text).settings).toStrictEqual({ recipients: [] });
  });

  it('keep valid values next to invalid ones', () => {
    const text = 'state: { recipients: [1, age1a], encryptOutputs: 1 }';
    expect(settingsOf(text).settings).toStrictEqual({ recipients: ['age1a'] });
  });
});

describe('sno-config.yaml is read once', () => {
  it.each<Parameters<typeof settingsOf>[0]>([
    undefined,
    false,
    '',
    head,
    'recipient: age1a\nencryptOutput: true\n',
    new Uint8Array([0xff, 0xfe]),
  ])('and has no settings as %j', (text) => {
    expect(settingsOf(text)).toStrictEqual({ settings: { recipients: [] }, reads: 1 });
  });

  it.each(['# recipients\n', '# encryptOutputs\n'])('and again to parse it, with %j', (text) => {
    expect(settingsOf(text)).toStrictEqual({ settings: { recipients: [] }, reads: 2 });
  });
});
