import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { expect, onTestFinished, test } from 'vitest';

import { problemsOf, success } from '../../src/core/result.js';
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

async function makerOver(
  cache: PackedCache,
  access: StateAccess = noAccess,
  { volume, acceptsAnyImage = false }: { readonly volume?: string; readonly acceptsAnyImage?: boolean } = {},
) {
  const folder = scratchFolder();
  const path = join(folder, 'live.iso');
  writeFileSync(path, liveIso({}, volume));
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
  return { maker: mediaMaker(stock.value, { configs: folderConfigs(access), cache, acceptsAnyImage }), lay };
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

/** A live config with the facts that `create` writes into it. */
function configFor(image: string, channel: string): string {
  const file = (path: string, text: string) => ({
    path,
    contents: { source: `data:;base64,${Buffer.from(text).toString('base64')}` },
  });
  const env = `SNO_RELEASE_IMAGE='${image}'\nSNO_EXPECTED_ARCH='amd64'\n`;
  const files = [
    file('/opt/openshift/sno-install.env', env),
    file('/opt/openshift/manifests/cvo-overrides.yaml', `spec:\n  channel: ${channel}\n`),
  ];
  return JSON.stringify({ ignition: { version: '3.2.0' }, storage: { files } });
}

const digest = `quay.io/a/release@sha256:${'0'.repeat(64)}`;

test.each([
  { volume: 'rhcos-418.94.202501221327-0', image: 'quay.io/a/b:4.18.3-x86_64', channel: 'eus-4.18' },
  { volume: 'rhcos-9.6.20250523-0', image: digest, channel: 'stable-4.20' },
  { volume: 'scos-10.0.20250628-0', image: digest, channel: 'stable-scos-4' },
  { volume: 'rhcos-418.94.202501221327-0', image: digest, channel: 'stable-4.20', isWrong: true },
  { volume: 'rhcos-418.94.202501221327-0', image: 'q.io/a/b:4.20.0-x86_64', channel: 'x', isWrong: true },
  { volume: 'fedora-coreos-42.20250609.3.0', image: digest, channel: 'stable-4.20', isWrong: true },
  { volume: 'scos-10.0.20250628-0', image: digest, channel: 'stable-4.20', isWrong: true },
  { volume: 'rhcos-9.6.20250523-0', image: digest, channel: 'stable-scos-4', isWrong: true },
])('compares the image $volume with the release $image, $channel', async (each) => {
  const { volume, image, channel, isWrong = false } = each;
  const codesOf = async (acceptsAnyImage: boolean): Promise<readonly string[]> => {
    const { maker, lay } = await makerOver(packedCache(1), noAccess, { volume, acceptsAnyImage });
    return problemsOf(await maker.of(lay('north-1', configFor(image, channel)))).map(({ code }) => code);
  };
  expect(await codesOf(false)).toEqual(isWrong ? ['media/release'] : []);
  expect(await codesOf(true)).toEqual([]);
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
