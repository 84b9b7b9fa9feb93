import { linkSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { build } from 'rolldown';

import { cli, node, scratch } from './measuring.mjs';

/** Size of the image, which determines the size of downloads. */
export const imageBytes = 512 * 1024 * 1024;

/** A live image of this size, built like those of the tests. */
export async function liveImage() {
  const module = join(scratch, 'live-iso.mjs');
  const output = { file: module, format: 'esm' };
  await build({ input: 'test/media/support/live-iso.ts', platform: 'node', output, logLevel: 'silent' });
  const { liveIso } = await import(pathToFileURL(module).href);
  const path = join(scratch, 'live.iso');
  const head = liveIso();
  writeFileSync(
    path,
    Buffer.concat([head, Buffer.alloc(imageBytes - head.length, 'bytes of a test image ')]),
  );
  return path;
}

/** A folder with this number of sites. They share one config file on disk; the server treats each as a separate site. */
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
