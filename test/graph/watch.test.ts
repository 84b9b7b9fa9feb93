import { describe, expect, it } from 'vitest';

import { resolve, createEngine } from '../../src/graph/engine.js';
import { defineAsset } from '../../src/graph/asset.js';
import { watchOf } from '../../src/graph/watch.js';
import { testContext } from '../support/context.js';
import { soundValue } from '../support/sound-value.js';

const config = defineAsset({
  name: 'config',
  needs: {},
  make: () => ({
    name: 'a',
    nested: { value: 1, list: [{ cidr: 'b' }], unread: true },
    made: new Date(0),
    absent: undefined as string | undefined,
  }),
});
const reader = defineAsset({
  name: 'reader',
  needs: { config },
  make: ({ config: { name, nested, absent } }, { draws, now, inputs, environment }) => {
    draws.uuid('id');
    inputs.read('there.yaml');
    inputs.read('absent.yaml');
    return { text: `${name} ${absent ?? ''} ${now.getTime()} ${environment.invoker ?? ''}`, later: nested };
  },
});
const dependant = defineAsset({
  name: 'dependant',
  needs: { reader, config },
  make: ({ reader: { later }, config: { made } }) => [later.list.map(({ cidr }) => cidr), made.getTime()],
});
const given = { files: { 'there.yaml': 'a: b\n' }, environment: { invoker: 'ci' } };

describe('a watch', () => {
  it('notes what each asset asks for, and what others read of what it hands on', async () => {
    const watch = watchOf([config]);
    const { valueOf } = soundValue(await createEngine(testContext(given), watch).resolve([dependant]));
    watch.end();
    expect(valueOf(reader).later.unread).toBe(true);

    const of = (asset: Parameters<typeof watch.originsOf>[0]) => {
      const { fields, files, draws, environment } = watch.originsOf(asset);
      return {
        fields: Object.fromEntries([...fields].map(([name, set]) => [name, [...set].toSorted()])),
        files: [...files],
        draws: [...draws],
        environment: [...environment].toSorted(),
      };
    };
    expect(of(reader)).toEqual({
      fields: { config: ['absent', 'name', 'nested.list', 'nested.list[0].cidr'] },
      files: ['there.yaml'],
      draws: ['id'],
      environment: ['invoker', 'now'],
    });
    expect(of(dependant)).toEqual({ fields: { config: ['made'] }, files: [], draws: [], environment: [] });
  });

  it('changes nothing of what is made', async () => {
    const plain = soundValue(await resolve([dependant], testContext(given)));
    const watched = soundValue(
      await createEngine(testContext(given), watchOf([config])).resolve([dependant]),
    );
    expect(JSON.stringify(watched.valueOf(dependant))).toBe(JSON.stringify(plain.valueOf(dependant)));
    expect(watched.valueOf(dependant)).toEqual(plain.valueOf(dependant));
  });
});
