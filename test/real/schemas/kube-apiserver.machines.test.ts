import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { readObjects } from '../../../src/manifests/edits/documents.js';
import { groupOf } from '../../../src/kube/identity.js';
import type { KubeObject } from '../../../src/kube/object.js';
import { describeWith } from '../../support/programs.js';
import { freePort } from '../../support/ports.js';
import { scratchFolder } from '../../support/scratch.js';
import { scaledMs } from '../../support/time-scale.js';
import { liveApi, type LiveApi } from '../cluster/live-api.js';
import { buildTimeoutMs } from '../control-plane/support/tools.js';
import { waitUntil } from '../control-plane/support/wait-until.js';
import { compareObjects, release, type Verdicts } from './comparison.js';
import { type Definition, publishedDefinitions } from './published-definitions.js';

/** A folder of Git directories, as scripts/schema-tables reads it. Definitions of others are not part of this repository. */
const checkouts = process.env['SCHEMA_CHECKOUTS'];

let api: LiveApi;
let proxy: ChildProcess;
let server = '';

function expectAgreement({ count, tooLax, tooStrict }: Verdicts): void {
  expect(tooStrict).toEqual([]);
  expect(tooLax.length / count).toBeLessThanOrEqual(0.02);
}

async function define({ spec: { conversion, ...spec }, ...definition }: Definition): Promise<void> {
  const path = `${server}/apis/apiextensions.k8s.io/v1/customresourcedefinitions`;
  // The webhook that converts other versions of the operator does not run here.
  const isPlain = conversion === undefined || !JSON.stringify(conversion).includes('Webhook');
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...definition,
      spec: isPlain ? { ...spec, conversion } : spec,
      status: undefined,
    }),
  });
  if (!response.ok) throw new Error(`${definition.metadata.name}: ${await response.text()}`);
  await waitUntil(definition.metadata.name, async () => {
    const answer = await fetch(`${path}/${definition.metadata.name}`);
    return /"Established","status":"True"/.test((await answer.text()).replaceAll(/\s/g, ''))
      ? true
      : undefined;
  });
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
    'on valid objects of each kind of Kubernetes and on changes of one field',
    async () => {
      const resources = await api.kubectl(['api-resources', '--no-headers']);
      const rows = resources.split('\n').map((line) => line.trim().split(/\s+/));
      const resourceOf = ({ apiVersion, kind }: KubeObject) => {
        const row = rows.find((each) => each.at(-1) === kind && each.at(-3) === apiVersion);
        return { plural: row?.[0] ?? '', isNamespaced: row?.at(-2) === 'true' };
      };
      expectAgreement(await compareObjects('valid-objects.yaml', server, resourceOf));
    },
    scaledMs(600_000),
  );

  test.skipIf(checkouts === undefined)(
    'on valid custom resources and on changes of one field (needs SCHEMA_CHECKOUTS=FOLDER)',
    async () => {
      const file = 'valid-custom-objects.yaml';
      const read = readObjects(file, readFileSync(join(import.meta.dirname, file)));
      const objects = read.ok ? read.value.map(({ object }) => object) : [];
      const definitions = publishedDefinitions(checkouts ?? '', release.version.text);
      const definitionOf = ({ apiVersion, kind }: KubeObject) => {
        const found = definitions.find(
          ({ spec }) => spec.group === groupOf(apiVersion) && spec.names.kind === kind,
        );
        if (found === undefined) throw new Error(`no CustomResourceDefinition of ${kind}`);
        return found;
      };
      for (const definition of new Set(objects.map(definitionOf))) await define(definition);
      const verdicts = await compareObjects(file, server, (object) => {
        const { names, scope } = definitionOf(object).spec;
        return { plural: names.plural, isNamespaced: scope === 'Namespaced' };
      });
      expectAgreement(verdicts);
    },
    scaledMs(900_000),
  );
});
