import { lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { fastify } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';

import type { Problem } from '../../../src/core/problem.js';
import { noAccess } from '../../../src/disk/state/state-access.js';
import { buildConfig } from '../../../src/ignition/build-config.js';
import { serializeConfig } from '../../../src/ignition/serialize.js';
import { addReportRoute } from '../../../src/serve/reports/report-route.js';
import { reportSenders } from '../../../src/serve/reports/report-senders.js';
import { siteReports } from '../../../src/serve/reports/site-reports.js';
import { folderConfigs } from '../../../src/serve/site-configs.js';
import { liveConfigName } from '../../../src/serve/site-folders.js';
import { oddKinds } from '../../support/odd-files.js';
import { scratchFolder } from '../../support/scratch.js';

const refuse = (): never => expect.unreachable();
const tokenOf = (site: string): string => `Throwaway${site}`.padEnd(43, '0');

/** Writes the config of a site that reports with this token. */
function layConfig(dir: string, token: string): void {
  mkdirSync(dir, { recursive: true });
  const files = [{ path: '/opt/openshift/report-secret', mode: 0o600, contents: `${token}\n` }];
  writeFileSync(join(dir, liveConfigName), serializeConfig(buildConfig({ files, units: [], users: [] })));
}

function served() {
  const folder = scratchFolder();
  const sites = ['north1', 'north2'].map((name) => ({ name, dir: join(folder, name) }));
  for (const { name, dir } of sites) layConfig(dir, tokenOf(name));
  let now = new Date('2026-11-22T12:00:00Z');
  const file = join(folder, 'reports');
  const reports = siteReports(file, refuse);
  const notes: string[] = [];
  const touched = new Set<string>();
  const app = fastify();
  addReportRoute(
    app,
    {
      now: () => now,
      sites: { refresh: () => Promise.resolve() },
    },
    {
      senders: reportSenders(() => sites, folderConfigs(noAccess)),
      reports,
      onReport: (site) => touched.add(site),
    },
    (_request, what) => notes.push(what),
  );
  onTestFinished(async () => {
    reports.close();
    await app.close();
  });
  const post = async (token: string, body: unknown = { system: 'live', complete: false, stages: [] }) => {
    const { statusCode } = await app.inject({
      method: 'POST',
      url: '/report',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      payload: JSON.stringify(body),
    });
    return statusCode;
  };
  return {
    folder,
    file,
    reports,
    notes,
    touched,
    post,
    later: () => (now = new Date(now.getTime() + 10_000)),
  };
}

test('accepts the report of the site with this token', async () => {
  const { post, reports, notes, touched, file } = served();
  expect(await post(tokenOf('north2'))).toBe(204);
  const report = { system: 'live', isComplete: false, stages: [], receivedAt: '2026-11-22T12:00:00Z' };
  expect(reports.of('north2')).toEqual(report);
  expect(reports.of('north1')).toBeUndefined();
  expect([notes, [...touched]]).toEqual([['north2/report'], ['north2']]);
  reports.close();
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ north2: report });
  expect(siteReports(file, refuse).of('north2')).toEqual(report);
});

test.each([
  ['no token', ''],
  ['another token', tokenOf('south1')],
  ['a part of one', tokenOf('north1').slice(1)],
])('rejects requests with %s', async (_name, token) => {
  const { post, reports, notes } = served();
  expect(await post(token)).toBe(401);
  expect([reports.of('north1'), notes]).toEqual([undefined, []]);
});

test('rejects invalid and too long reports', async () => {
  const { post, reports } = served();
  expect(await post(tokenOf('north1'), { system: 'mine' })).toBe(400);
  expect(await post(tokenOf('north1'), { system: 'live', stages: [], more: 'x'.repeat(20_000) })).toBe(413);
  expect(reports.of('north1')).toBeUndefined();
});

test('accepts the token of the new config, and rejects the old one', async () => {
  const { folder, post, later } = served();
  expect(await post(tokenOf('north1'))).toBe(204);
  layConfig(join(folder, 'north1'), `${tokenOf('south1').slice(1)}9`);
  expect(await post(tokenOf('north1'))).toBe(401);
  later();
  expect(await post(`${tokenOf('south1').slice(1)}9`)).toBe(204);
});

test.each(Object.entries(oddKinds))('reports %s in the place of its file, and keeps it', (_, make) => {
  const path = join(scratchFolder(), 'reports');
  make(path);
  const problems: Problem[] = [];

  const reports = siteReports(path, (found) => problems.push(...found));
  expect(reports.of('north1')).toBeUndefined();
  expect(problems).toMatchObject([{ code: 'media/serve-state', at: { file: path } }]);
  expect(lstatSync(path).isFile()).toBe(false);
});

test('ignores a file without valid reports', () => {
  const { file } = served();
  writeFileSync(file, '{"north1": {"system": "live"}}');
  expect(siteReports(file, refuse).of('north1')).toBeUndefined();
});
