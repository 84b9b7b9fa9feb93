import { describe, expect, it } from 'vitest';

import { resolve, createEngine } from '../../src/graph/engine.js';
import { defineAsset } from '../../src/graph/asset.js';
import { inputRecorder } from '../../src/graph/input-recorder.js';
import { testContext } from '../support/context.js';
import { expectOk } from '../support/sound-value.js';

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
  make: ({ config: { name, nested, absent } }, { valueSource, now, inputs, environment }) => {
    valueSource.uuid('id');
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
  it('records the inputs of each asset, also those read through other assets', async () => {
    const watch = inputRecorder([config]);
    const { valueOf } = expectOk(await createEngine(testContext(given), watch).resolve([dependant]));
    watch.end();
    expect(valueOf(reader).later.unread).toBe(true);

    const of = (asset: Parameters<typeof watch.originsOf>[0]) => {
      const { fields, files, generatedValues, environment } = watch.originsOf(asset);
      return {
        fields: Object.fromEntries([...fields].map(([name, set]) => [name, [...set].toSorted()])),
        files: [...files],
        generatedValues: [...generatedValues],
        environment: [...environment].toSorted(),
      };
    };
    expect(of(reader)).toEqual({
      fields: { config: ['absent', 'name', 'nested.list', 'nested.list[0].cidr'] },
      files: ['there.yaml'],
      generatedValues: ['id'],
      environment: ['invoker', 'now'],
    });
    expect(of(dependant)).toEqual({
      fields: { config: ['made'] },
      files: [],
      generatedValues: [],
      environment: [],
    });
  });

  it('notes every kind of draw and of file, and only what there is of the environment', async () => {
    const reader = defineAsset({
      name: 'asking',
      needs: {},
      make: async (_, { valueSource, inputs, environment }) => {
        await Promise.all([valueSource.rsaKey('rsa', 2048), valueSource.ecKey('ec', 'P-256')]);
        await valueSource.bcryptHash('hash', 'throwaway');
        valueSource.text('text', 4, 'ab');
        inputs.digest('large.iso');
        inputs.readReference({ field: 'sshKey', place: { kind: 'file', path: 'key.pub' } });
        inputs.readReference({ field: 'pullSecret', place: { kind: 'variable', name: 'PULL' } });
        return environment.invoker ?? 'nobody';
      },
    });
    const watch = inputRecorder([]);
    const { valueOf } = expectOk(await createEngine(testContext(), watch).resolve([reader]));
    const { generatedValues, files, environment } = watch.originsOf(reader);
    expect([valueOf(reader), [...generatedValues].toSorted(), [...files], [...environment]]).toEqual([
      'nobody',
      ['ec', 'hash', 'rsa', 'text'],
      ['large.iso', 'key.pub'],
      [],
    ]);
  });

  it('ignores access to methods, then and toJSON, and returns frozen members unchanged', async () => {
    const frozen = Object.freeze({ inner: Object.freeze({ cidr: 'a' }) });
    const odd = defineAsset({
      name: 'odd',
      needs: {},
      make: () => ({
        frozen,
        list: ['x', 'y'],
        own: { then: 'a field' },
        none: null,
        plain: Object.create(null) as object,
      }),
    });
    const using = defineAsset({
      name: 'using',
      needs: { odd },
      make: async ({
        odd: {
          list,
          own,
          none,
          frozen: { inner },
        },
      }) => {
        const awaited: unknown = await Promise.resolve(own.then);
        return [list.length, list.includes('y'), JSON.stringify(list), awaited, none, inner === frozen.inner];
      },
    });
    const watch = inputRecorder([odd]);
    const { valueOf } = expectOk(await createEngine(testContext(), watch).resolve([using]));
    expect(valueOf(using)).toEqual([2, true, '["x","y"]', 'a field', null, true]);
    const fields = watch.originsOf(using).fields.get('odd') ?? new Set();
    expect([...fields].toSorted()).toEqual(['list', 'list[0]', 'list[1]', 'none', 'own.then']);
  });

  it('records nothing after its end, and only for watched values', async () => {
    const watch = inputRecorder([config]);
    const { valueOf } = expectOk(await createEngine(testContext(given), watch).resolve([reader]));
    const before = watch.originsOf(reader).fields.get('config')?.size;
    watch.end();
    expect(valueOf(reader).later.unread).toBe(true);
    expect(watch.originsOf(reader).fields.get('config')?.size).toBe(before);

    const unwatched = inputRecorder([]);
    await createEngine(testContext(given), unwatched).resolve([dependant]);
    expect(unwatched.originsOf(dependant).fields.size).toBe(0);
  });

  it('does not change the results', async () => {
    const plain = expectOk(await resolve([dependant], testContext(given)));
    const watched = expectOk(
      await createEngine(testContext(given), inputRecorder([config])).resolve([dependant]),
    );
    expect(JSON.stringify(watched.valueOf(dependant))).toBe(JSON.stringify(plain.valueOf(dependant)));
    expect(watched.valueOf(dependant)).toEqual(plain.valueOf(dependant));
  });
});
