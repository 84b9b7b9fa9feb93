import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { piecesOf, type DiskImage } from '../../../src/formats/disk-image.js';
import { isoPayloads, type IsoPayload } from '../../../src/fleet/build/iso-payloads.js';
import { payloadSources } from '../../../src/fleet/build/payload-sources.js';
import { openLiveIso } from '../../../src/fleet/build/site-iso.js';
import { sharedState } from '../../../src/fleet/threads/once-in-threads.js';
import { payloadOffset } from '../../../src/media/payload/appended-payload.js';
import { liveIso } from '../../media/support/live-iso.js';
import { madePayload } from '../../payload/made-payload.js';
import { expectOk } from '../../support/sound-value.js';
import { scratchFolder } from '../../support/scratch.js';

const made = madePayload(1);

/** A live ISO, a payload whose ISOs share a base, and the source that a thread opens for a site. */
async function place(bytes = made.bytes) {
  const dir = scratchFolder();
  const [file, live] = [join(dir, 'a.payload'), join(dir, 'live.iso')];
  writeFileSync(file, bytes);
  writeFileSync(live, liveIso());
  const named = { site: 'a', path: file, text: made.manifest };
  const found = expectOk(isoPayloads([named])).get(file);
  if (found === undefined) throw new Error('no payload');
  const payload: IsoPayload = { ...found, base: { path: join(dir, 'base'), state: sharedState() } };
  const opened = expectOk(await openLiveIso({ path: live, force: false }));
  const openInThread = () => payloadSources(opened, new Map([[file, payload]]))(named).open('');
  return { dir, openInThread };
}

function bytesOf(image: DiskImage): Buffer {
  return Buffer.concat([...piecesOf(image)]);
}

it('writes the base in the first thread, and all copy from it', async () => {
  const { dir, openInThread } = await place();
  const gap = Buffer.alloc(payloadOffset(liveIso().length) - liveIso().length);
  const whole = Buffer.concat([liveIso(), gap, made.bytes]);
  for (const each of ['first', 'second']) {
    const { prepared } = expectOk(await openInThread());
    const { image, file, payload } = prepared.source;
    expect([each, file, payload]).toEqual([each, join(dir, 'base'), made.manifest]);
    expect(bytesOf(image).equals(whole)).toBe(true);
    rmSync(join(dir, 'a.payload'), { force: true });
  }
  expect(readFileSync(join(dir, 'base')).equals(whole)).toBe(true);
});

it('finds a damaged payload in each thread', async () => {
  const damaged = Buffer.from(made.bytes);
  damaged[5000] = 0;
  const { openInThread } = await place(damaged);
  for (const each of ['first', 'second']) {
    const opened = await openInThread();
    expect([each, opened.ok ? [] : opened.problems.map(({ code }) => code)]).toEqual([
      each,
      ['payload/damaged'],
    ]);
  }
});

it('copies from the payload if the base cannot be written', async () => {
  const { dir, openInThread } = await place();
  writeFileSync(join(dir, 'base'), 'of another program');
  for (const each of ['first', 'second']) {
    const { prepared } = expectOk(await openInThread());
    expect([each, prepared.source.file, prepared.source.payload]).toEqual([each, undefined, made.manifest]);
  }
});
