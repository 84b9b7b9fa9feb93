import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { problemsOf, type Result } from '../../src/core/result.js';
import { noAccess } from '../../src/disk/state/state-access.js';
import { imageInMemory, type DiskImage } from '../../src/formats/disk-image.js';
import { withPayload } from '../../src/media/payload/appended-payload.js';
import { rangeResponse } from '../../src/serve/answers/range-response.js';
import { openBaseIso, type BaseIso } from '../../src/serve/media/base-iso.js';
import { mediaMaker, packedCache, type SiteMedia } from '../../src/serve/media/site-media.js';
import { folderConfigs } from '../../src/serve/site-configs.js';
import { liveConfigName } from '../../src/serve/site-folders.js';
import { liveIso } from '../media/support/live-iso.js';
import { madePayload, type MadePayload } from '../payload/made-payload.js';
import { expectOk } from '../support/sound-value.js';
import { scratchFolder } from '../support/scratch.js';

const [own, other] = [madePayload(1), madePayload(2)];

/** A live config whose node installs from a payload, or from a registry. */
function configFor(payload: MadePayload | undefined, more = 'a'): string {
  const file = (path: string, text: string) => ({
    path,
    contents: { source: `data:;base64,${Buffer.from(text).toString('base64')}` },
  });
  const files = [
    file('/etc/more', more),
    ...(payload ? [file('/opt/openshift/sno-payload.env', payload.settings)] : []),
  ];
  return JSON.stringify({ ignition: { version: '3.2.0' }, storage: { files } });
}

interface Given {
  /** The file of --payload. */
  readonly payload?: Buffer;
  readonly iso?: Buffer;
}

async function opened({ payload, iso = liveIso() }: Given): Promise<Result<BaseIso>> {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'live.iso'), iso);
  if (payload) writeFileSync(join(folder, 'x.payload'), payload);
  const base = await openBaseIso({
    path: join(folder, 'live.iso'),
    kernelArguments: [],
    ...(payload && { payload: join(folder, 'x.payload') }),
  });
  if (base.ok)
    onTestFinished(() => {
      base.value.close();
    });
  return base;
}

/** The medium of a site with this config, and the warnings and words of it. */
async function mediumOf(given: Given, config: string) {
  const folder = scratchFolder();
  const site = { name: 'north-1', dir: join(folder, 'north-1') };
  mkdirSync(site.dir);
  writeFileSync(join(site.dir, liveConfigName), config);
  const warned: string[] = [];
  const maker = mediaMaker(expectOk(await opened(given)), {
    configs: folderConfigs(noAccess),
    cache: packedCache(10),
    onWarnings: (found) => warned.push(...found.map(({ code, message }) => `${code}: ${message}`)),
  });
  const made = await maker.of(site);
  // A second request reports nothing again.
  await maker.of(site);
  return { made, warned, words: maker.payloadOf(site) };
}

function imageOf({ iso }: SiteMedia): Promise<Buffer | undefined> {
  return iso.read(0, iso.bytes);
}

function whole(live: Buffer, payload: Buffer): Buffer {
  const image: DiskImage = withPayload(imageInMemory(live), imageInMemory(payload));
  return image.read(0, image.bytes) ?? Buffer.alloc(0);
}

describe('the medium of a site with a payload', () => {
  test.each<[string, Given]>([
    ['of --payload', { payload: own.bytes }],
    ['that the live ISO contains', { iso: whole(liveIso(), own.bytes) }],
  ])('%s is one file with ranges', async (_name, given) => {
    const config = configFor(own);
    const { made, warned, words } = await mediumOf(given, config);
    const medium = expectOk(made);
    const bytes = await imageOf(medium);
    if (bytes === undefined) throw new Error('it cannot be read');
    expect(bytes.length).toBe(whole(liveIso(), own.bytes).length);
    const start = bytes.length - own.bytes.length;
    expect(bytes.subarray(start).equals(own.bytes)).toBe(true);
    expect(warned).toEqual([]);
    expect(words).toMatch(/^payload 4\.22\.0 \([0-9a-f]{12}\)$/);

    const { iso } = medium;
    const { status, headers, body } = rangeResponse(
      { method: 'GET', headers: { range: `bytes=${start - 10}-${start + 9}`, 'if-range': iso.etag } },
      iso,
    );
    expect([status, headers['content-range']]).toEqual([
      206,
      `bytes ${start - 10}-${start + 9}/${bytes.length}`,
    ]);
    const into = Buffer.alloc(64);
    const border = body && (await iso.read(body.offset, body.length, into));
    expect(border?.equals(bytes.subarray(start - 10, start + 10))).toBe(true);
    const inside = await iso.read(start + 100, 50, into);
    expect(inside?.equals(bytes.subarray(start + 100, start + 150))).toBe(true);
    expect(await iso.read(bytes.length - 1, 2)).toBeUndefined();
    expect(rangeResponse({ method: 'HEAD', headers: {} }, iso)).toMatchObject({
      status: 200,
      headers: { 'content-length': String(bytes.length), etag: iso.etag },
    });
  });

  test('has an entity tag that changes with the ISO, the config and the payload', async () => {
    const tagOf = async (payload: MadePayload, more: string, iso = liveIso()): Promise<string> =>
      expectOk((await mediumOf({ payload: payload.bytes, iso }, configFor(payload, more))).made).iso.etag;
    const changed = Buffer.from(liveIso());
    changed.writeUInt8(1, changed.length - 1);
    const tags = [await tagOf(own, 'a'), await tagOf(own, 'b'), await tagOf(other, 'a')];
    expect(new Set([...tags, await tagOf(own, 'a', changed)]).size).toBe(4);
    expect(await tagOf(own, 'a')).toBe(tags[0]);
  });

  test('is refused if the server has another payload', async () => {
    const { made } = await mediumOf({ payload: own.bytes }, configFor(other));
    expect(problemsOf(made)).toMatchObject([
      {
        code: 'payload/other',
        message: expect.stringMatching(
          /^north-1 installs from made\.payload \([0-9a-f]{12}\), and the server has .*x\.payload, payload 4\.22\.0/,
        ) as string,
      },
    ]);
  });

  test.each<[string, Given, MadePayload | undefined, RegExp]>([
    ['the server has no payload', {}, own, /^payload\/not-on-medium: north-1 installs from made\.payload/],
    [
      'the site has no payload',
      { payload: own.bytes },
      undefined,
      /^payload\/not-on-medium: the configuration of north-1 names no payload/,
    ],
  ])('is the live ISO with a warning if %s', async (_name, given, payload, warning) => {
    const { made, warned } = await mediumOf(given, configFor(payload));
    expect((await imageOf(expectOk(made)))?.length).toBe(liveIso().length);
    expect(warned).toEqual([expect.stringMatching(warning)]);
  });
});

describe('a payload that cannot be served', () => {
  const flipped = Buffer.from(own.bytes);
  flipped.writeUInt8(7, 5000);
  test.each<[string, Given, string]>([
    ['another kind of file', { payload: liveIso() }, 'payload/not-a-payload'],
    ['a changed byte', { payload: flipped }, 'payload/damaged'],
    ['a changed byte in the live ISO', { iso: whole(liveIso(), flipped) }, 'payload/damaged'],
    ['the first half', { payload: own.bytes.subarray(0, own.bytes.length / 2) }, 'payload/damaged'],
    ['a second one', { payload: own.bytes, iso: whole(liveIso(), own.bytes) }, 'payload/other'],
  ])('%s', async (_name, given, code) => {
    expect(problemsOf(await opened(given)).map((each) => each.code)).toEqual([code]);
  });
});
