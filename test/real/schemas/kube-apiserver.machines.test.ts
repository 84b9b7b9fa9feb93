import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { readObjects } from '../../../src/manifests/edits/documents.js';
import { dataProblems } from '../../../src/manifests/checks/check-data.js';
import { metadataProblems } from '../../../src/manifests/checks/check-metadata.js';
import { schemaProblems } from '../../../src/manifests/schemas/check-schemas.js';
import { schemaRows } from '../../../src/manifests/schemas/schema-tables.js';
import { writeYaml } from '../../../src/formats/yaml/write-yaml.js';
import type { KubeObject } from '../../../src/kube/object.js';
import { describeWith } from '../../support/programs.js';
import { freePort } from '../../support/ports.js';
import { scratchFolder } from '../../support/scratch.js';
import { scaledMs } from '../../support/time-scale.js';
import { liveApi, type LiveApi } from '../cluster/live-api.js';
import { buildTimeoutMs } from '../control-plane/support/tools.js';
import { waitUntil } from '../control-plane/support/wait-until.js';
import { mutationsOf } from './mutations.js';

/** The release with the minor version of the tests' kube-apiserver. */
const release = { version: { major: 4, minor: 23, text: '4.23' }, kubernetes: '1.36' };
const perKind = Number(process.env['PER_KIND'] ?? 48);
const seed = Number(process.env['SEED'] ?? 44);

let api: LiveApi;
let proxy: ChildProcess;
let server = '';

/** The error of the API server for a new object; undefined if it accepts it. */
async function refusal(object: KubeObject, plural: string, namespaced: boolean): Promise<string | undefined> {
  const { apiVersion } = object;
  const root = apiVersion.includes('/') ? `apis/${apiVersion}` : `api/${apiVersion}`;
  const place = namespaced ? `namespaces/default/${plural}` : plural;
  const response = await fetch(`${server}/${root}/${place}?dryRun=All&fieldValidation=Strict`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(object),
  });
  const text = await response.text();
  return response.ok ? undefined : `${response.status} ${text.replace(/^.*?"message":"/, '').slice(0, 220)}`;
}

/** The problem that `validate` reports for the same object. */
function ownRefusal(object: object): string | undefined {
  const read = readObjects('f.yaml', Buffer.from(writeYaml(object)));
  if (!read.ok) return read.problems[0]?.message;
  const cluster = { version: release.version, isOkd: false, featureSet: '', isMerged: false };
  const found = [
    ...schemaProblems(read.value, cluster),
    ...dataProblems(read.value),
    ...metadataProblems(read.value, () => undefined),
  ];
  return found.find(({ severity }) => severity === 'error')?.message;
}

/** A linear congruential generator. Source: Numerical Recipes, "Quick and dirty" generators */
function shuffled<T>(items: readonly T[], start: number): readonly T[] {
  let state = start;
  const next = (): number => (state = (state * 1664525 + 1013904223) % 2 ** 32);
  return items
    .map((item) => ({ item, order: next() }))
    .toSorted((left, right) => left.order - right.order)
    .map(({ item }) => item);
}

describeWith(['go', 'kubectl'], 'the schemas agree with kube-apiserver', () => {
  beforeAll(async () => {
    const folder = scratchFolder();
    api = await liveApi(folder);
    await api.start();
    const port = await freePort();
    server = `http://127.0.0.1:${port}`;
    proxy = spawn('kubectl', [`--kubeconfig=${join(folder, 'admin-kubeconfig')}`, 'proxy', `--port=${port}`]);
    await waitUntil('kubectl proxy', async () => {
      const answer = await fetch(`${server}/readyz`).catch(() => undefined);
      return answer?.ok === true ? true : undefined;
    });
    await api.kubectl(['create', 'serviceaccount', 'default', '--namespace=default']).catch(() => '');
  }, buildTimeoutMs);

  afterAll(async () => {
    proxy.kill();
    await api.close();
  });

  test(
    'on valid objects of each kind and on changes of one field',
    async () => {
      const read = readObjects(
        'valid-objects.yaml',
        readFileSync(join(import.meta.dirname, 'valid-objects.yaml')),
      );
      if (!read.ok) throw new Error(read.problems.map(({ message }) => message).join('\n'));
      const resources = await api.kubectl(['api-resources', '--no-headers']);
      const rows = resources.split('\n').map((line) => line.trim().split(/\s+/).slice(-4));
      const names = resources.split('\n').map((line) => line.split(/\s+/)[0] ?? '');
      const tooLax: string[] = [];
      const tooStrict: string[] = [];
      let count = 0;
      for (const { object } of read.value) {
        const { apiVersion, kind } = object;
        const index = rows.findIndex((row) => row[3] === kind && row[1] === apiVersion);
        const namespaced = rows[index]?.[2] === 'true';
        const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
        const row = schemaRows(group ?? '', version ?? '', kind).find((each) =>
          each.in.includes(release.kubernetes),
        );
        if (row === undefined) throw new Error(`no schema of ${kind}`);
        const mutations = shuffled(mutationsOf(object, row.schema), seed).slice(0, perKind);
        for (const { change, object: each } of [{ change: 'valid', object }, ...mutations]) {
          const theirs = await refusal(each as KubeObject, names[index] ?? '', namespaced);
          const ours = ownRefusal(each);
          count += 1;
          if (change === 'valid' && theirs !== undefined) throw new Error(`${kind} is not valid: ${theirs}`);
          if (theirs !== undefined && ours === undefined) tooLax.push(`${kind} ${change}: ${theirs}`);
          if (theirs === undefined && ours !== undefined) tooStrict.push(`${kind} ${change}: ${ours}`);
        }
      }
      console.log(
        `seed ${seed}: ${count} objects, ${tooLax.length} accepted that the API refuses, ${tooStrict.length} refused that it accepts`,
      );
      if (process.env['SHOW'] !== undefined)
        writeFileSync(
          process.env['SHOW'],
          [...tooStrict.map((l) => `STRICT ${l}`), ...tooLax.map((l) => `LAX ${l}`)].join('\n'),
        );
      expect(tooStrict).toEqual([]);
      expect(tooLax.length / count).toBeLessThanOrEqual(0.02);
    },
    scaledMs(600_000),
  );
});
