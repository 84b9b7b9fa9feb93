import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { laySite } from '../../../src/disk/site-record/site-contents.js';
import type { SiteRecord } from '../../../src/disk/site-record/site-record.js';
import { scratchFolder } from '../../support/scratch.js';

const record: SiteRecord = { inputs: 'a', state: 'b', outputs: [], warnings: [] } as unknown as SiteRecord;
const files = ['.sno-install-site.json', 'metadata.json', 'auth/kubeconfig.age'].map((path) => ({
  path,
  mode: 0o600,
  contents: Buffer.from(`of the store: ${path}`),
}));
const before = { ...record, outputs: files.slice(1).map(({ path }) => ({ path, mode: 0o600, sha256: '' })) };

test.each([['metadata.json'], ['auth/kubeconfig.age']])(
  'a site is not laid over %s of somebody else',
  async (path) => {
    const dir = scratchFolder();
    mkdirSync(join(dir, 'auth'));
    writeFileSync(join(dir, path), 'of somebody else');
    const laid = await laySite(dir, { record, files }, { command: 'fleet collect' });
    expect(laid).toMatchObject({ ok: false, problems: [{ code: 'dir/output-edited', at: { file: path } }] });
    expect(readFileSync(join(dir, path), 'utf8')).toBe('of somebody else');
    expect(readdirSync(dir).filter((name) => name !== 'auth' && name !== path)).toEqual([]);
  },
);

test('a site is laid into an empty folder, beside the same bytes, and in the place of its own', async () => {
  const dir = scratchFolder();
  writeFileSync(join(dir, 'metadata.json'), 'of the store: metadata.json');
  expect(await laySite(dir, { record, files }, { command: 'fleet collect' })).toMatchObject({ ok: true });
  writeFileSync(join(dir, 'metadata.json'), 'of an earlier run');
  expect(await laySite(dir, { record, files }, { command: 'fleet collect', before })).toMatchObject({
    ok: true,
  });
  expect(readFileSync(join(dir, 'metadata.json'), 'utf8')).toBe('of the store: metadata.json');
});
