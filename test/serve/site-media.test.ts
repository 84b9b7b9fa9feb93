import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { expect, onTestFinished, test } from 'vitest';

import { success } from '../../src/core/result.js';
import { noAccess, type StateAccess } from '../../src/disk/state/state-access.js';
import { encryptAge } from '../../src/formats/age.js';
import { mediaMaker, packedCache, type PackedCache } from '../../src/serve/media/site-media.js';
import { openBaseIso } from '../../src/serve/media/base-iso.js';
import { folderConfigs } from '../../src/serve/site-configs.js';
import { liveConfigName, type SiteFolder } from '../../src/serve/site-folders.js';
import { liveIso } from '../media/support/live-iso.js';
import { ageKeys } from '../support/age-keys.js';
import { scratchFolder } from '../support/scratch.js';

/** An incompressible config of this many bytes. */
function configOf(bytes: number): string {
  const source = `data:;base64,${randomBytes(bytes).toString('base64')}`;
  const files = [{ path: '/etc/large', mode: 0o600, contents: { source } }];
  return JSON.stringify({ ignition: { version: '3.2.0' }, storage: { files } });
}

async function makerOver(cache: PackedCache, access: StateAccess = noAccess) {
  const folder = scratchFolder();
  const path = join(folder, 'live.iso');
  writeFileSync(path, liveIso());
  const stock = await openBaseIso({ path, kernelArguments: [] });
  if (!stock.ok) throw new Error('the image cannot be opened');
  onTestFinished(() => {
    stock.value.close();
  });
  const lay = (name: string, config: string | Uint8Array, file = liveConfigName): SiteFolder => {
    const dir = join(folder, name);
    mkdirSync(dir);
    writeFileSync(join(dir, file), config);
    return { name, dir };
  };
  return { maker: mediaMaker(stock.value, { configs: folderConfigs(access), cache }), lay };
}

async function collectGarbage(): Promise<void> {
  // Objects created or dereferenced in the current turn stay alive until it ends.
  await new Promise((resolve) => setImmediate(resolve));
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

test('keeps compressed configs of a site only in the cache', async () => {
  const packed: WeakRef<Buffer>[] = [];
  // A cache that keeps nothing, like one whose memory is used up.
  const cache: PackedCache = async (_key, pack) => {
    const made = await pack();
    packed.push(new WeakRef(made));
    return made;
  };
  const { maker, lay } = await makerOver(cache);
  const made = await maker.of(lay('north-1', configOf(1000)));
  if (!made.ok) throw new Error('it cannot be served');

  await collectGarbage();
  expect(packed.map((each) => each.deref())).toEqual([undefined]);
  // Reads the whole image, so that the config is packed again.
  expect(await made.value.iso.read(0, made.value.iso.bytes)).toHaveLength(made.value.iso.bytes);
  expect(packed).toHaveLength(2);
});

test('retries a failed site at the next request', async () => {
  const identities: string[] = [];
  const access = { ...noAccess, keys: () => Promise.resolve(success({ identities, passphrases: [] })) };
  const { maker, lay } = await makerOver(packedCache(10), access);
  const sealed = await encryptAge(configOf(10), { recipients: [ageKeys.ours.recipient] });
  const site = lay('north-1', sealed, `${liveConfigName}.age`);

  const first = await maker.of(site);
  expect(first.ok ? [] : first.problems.map(({ code }) => code)).toEqual(['state/no-identity']);
  identities.push(ageKeys.ours.identity);
  expect(await maker.of(site)).toMatchObject({ ok: true });
});
