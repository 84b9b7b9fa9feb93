import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import type { Problem } from '../../src/core/problem.js';
import { success } from '../../src/core/result.js';
import { noAccess, type StateAccess } from '../../src/disk/state/state-access.js';
import { encryptAge } from '../../src/formats/age.js';
import { liveSites } from '../../src/serve/live-sites.js';
import { siteCatalogue, siteToken } from '../../src/serve/site-catalogue.js';
import { openServingState } from '../../src/serve/tokens/open-serving.js';
import { ageKeys } from '../support/age-keys.js';
import { scratchFolder } from '../support/scratch.js';

const now = new Date('2026-11-22T00:00:00Z');
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);

/** Sites as read before the server starts, and functions that change them. */
async function readBefore(access: StateAccess = noAccess) {
  const folder = scratchFolder();
  const [out, path] = [join(folder, 'out'), join(folder, 'tokens.json')];
  mkdirSync(join(out, 'north-1'), { recursive: true });
  const order = { path, access: noAccess, now, isViewerRevoked: false };
  const state = await openServingState({ ...order, revoked: [] });
  const catalogue = state.ok ? siteCatalogue([out], state.value) : state;
  if (!state.ok || !catalogue.ok) throw new Error('they cannot be read');
  const reported: Problem[] = [];
  const sites = liveSites(
    { folders: [out], tokensPath: path, access },
    {
      state: state.value,
      catalogue: catalogue.value,
      used: {},
      onProblems: (problems) => reported.push(...problems),
    },
  );
  const token = siteToken(state.value, { name: 'north-1', generation: 0 });
  const revoke = () => openServingState({ ...order, revoked: ['north-1'] });
  return { out, path, sites, token, revoke, reported };
}

const names = (sites: { all: () => readonly { readonly name: string }[] }) =>
  sites.all().map(({ name }) => name);

test('detects changes before the first request', async () => {
  const { out, sites, token, revoke, reported } = await readBefore();
  await revoke();
  mkdirSync(join(out, 'south-1'));
  expect(sites.find(token)?.name).toBe('north-1');
  await sites.refresh(now);
  expect(sites.find(token)).toBeUndefined();
  expect(names(sites)).toEqual(['north-1', 'south-1']);
  expect(reported).toEqual([]);
});

test('retries unreadable files, and reports them once', async () => {
  const identities: string[] = [];
  const access = {
    ...noAccess,
    keys: () => Promise.resolve(success({ identities, passphrases: [] })),
  };
  const { path, sites, token, revoke, reported } = await readBefore(access);
  await revoke();
  writeFileSync(path, await encryptAge(readFileSync(path), { recipients: [ageKeys.ours.recipient] }));
  await sites.refresh(now);
  await sites.refresh(later(2));
  expect(sites.find(token)?.name).toBe('north-1');
  expect(reported.map(({ code }) => code)).toEqual(['state/no-identity']);

  identities.push(ageKeys.ours.identity);
  await sites.refresh(later(4));
  expect(sites.find(token)).toBeUndefined();
});
