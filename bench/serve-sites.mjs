import { linkSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { build } from 'rolldown';

import { cli, node, scratch } from './measuring.mjs';

/** What stands behind the parts of the image that are read: as much as is downloaded. */
export const imageBytes = 512 * 1024 * 1024;

/** A live image of so many bytes, as tests make one. */
export async function liveImage() {
  const module = join(scratch, 'live-iso.mjs');
  const output = { file: module, format: 'esm' };
  await build({ input: 'test/media/support/live-iso.ts', platform: 'node', output, logLevel: 'silent' });
  const { liveIso } = await import(pathToFileURL(module).href);
  const path = join(scratch, 'live.iso');
  const head = liveIso();
  writeFileSync(
    path,
    Buffer.concat([head, Buffer.alloc(imageBytes - head.length, 'bytes of an image that is downloaded ')]),
  );
  return path;
}

/** A folder of so many sites, which share one config on the disk: each is a site of its own for the server. */
export function sitesOf(count) {
  const out = mkdtempSync(join(scratch, 'sites-'));
  const config = sharedConfig();
  for (let index = 0; index < count; index += 1) {
    const dir = join(out, `site-${String(index).padStart(5, '0')}`);
    mkdirSync(dir);
    linkSync(config, join(dir, 'bootstrap-in-place-for-live-iso.ign'));
  }
  return out;
}

const made = {};

function sharedConfig() {
  if (made.config === undefined) {
    const dir = mkdtempSync(join(scratch, 'site-'));
    const config = 'fixtures/configs/minimal/install-config.yaml';
    writeFileSync(join(dir, 'install-config.yaml'), readFileSync(config));
    node([cli, 'create', 'single-node-ignition-config', '--dir', dir]);
    made.config = join(dir, 'bootstrap-in-place-for-live-iso.ign');
  }
  return made.config;
}
