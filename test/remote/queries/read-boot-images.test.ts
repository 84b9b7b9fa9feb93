import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { lookup } from 'node:dns';

import { beforeAll, expect, onTestFinished, test } from 'vitest';

import type { Result } from '../../../src/core/result.js';
import { gzip } from '../../../src/formats/gzip.js';
import { sha256 } from '../../../src/formats/sha256.js';
import { tarOf } from '../../../src/formats/tar/tar-archive.js';
import { trustWith } from '../../../src/remote/http/connection.js';
import type { PullPlace } from '../../../src/remote/preflight/pull-places.js';
import { readBootImages } from '../../../src/remote/queries/read-boot-images.js';
import { selfSigned } from '../../support/openssl.js';
import { listeningPort } from '../../support/ports.js';
import { describeWith } from '../../support/programs.js';

const text = 'kind: ConfigMap\n';
const manifestType = 'application/vnd.docker.distribution.manifest.v2+json';

let cert = '';
let key = '';
beforeAll(() => {
  ({ cert, key } = selfSigned());
});

async function layerOf(path: string): Promise<Buffer> {
  return gzip(await tarOf([{ path, mode: 0o644, contents: Buffer.from(text) }]));
}

function digestOf(bytes: Uint8Array | string): string {
  return `sha256:${sha256(bytes)}`;
}

/** A registry with an image of these layers below an index, and with other answers for some paths. */
async function registryWith(
  layers: readonly Buffer[],
  other: Readonly<Record<string, RequestListener>> = {},
): Promise<PullPlace> {
  const manifest = JSON.stringify({ layers: layers.map((layer) => ({ digest: digestOf(layer) })) });
  const index = JSON.stringify({ manifests: [{ digest: digestOf(manifest) }] });
  const objects = new Map<string, Buffer | string>([
    ['manifests/4.22.0-x86_64', index],
    [`manifests/${digestOf(manifest)}`, manifest],
    ...layers.map((layer) => [`blobs/${digestOf(layer)}`, layer] as const),
  ]);
  const server = createServer({ cert, key }, (request, response) => {
    const path = (request.url ?? '').replace('/v2/ocp/release/', '');
    const special = other[path.replace(/\/sha256:.*/, '')];
    const found = objects.get(path);
    if (special !== undefined) special(request, response);
    else if (found === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': manifestType }).end(found);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const registry = `127.0.0.1:${await listeningPort(server)}`;
  const place = { registry, repository: `${registry}/ocp/release`, reference: '4.22.0-x86_64' };
  return { ...place, digest: undefined, isMirror: false };
}

function read(places: readonly PullPlace[], pullSecret?: string): Promise<Result<string>> {
  const way = { proxy: {}, lookup, trust: trustWith(cert) };
  return readBootImages('IMAGE', places, { way, pullSecret, timeoutMs: 5000, hint: 'HINT' });
}

function shown(result: Result<string>): string {
  if (result.ok) return result.value;
  return result.problems
    .map(({ code, message, hint }) => `${code}: ${message.replaceAll(/127\.0\.0\.1:\d+/g, 'HOST')} (${hint})`)
    .join('\n');
}

const manifests = 'release-manifests/0000_50_installer_coreos-bootimages.yaml';
const because = (reason: string): string =>
  `media/release-metadata: cannot read the stream metadata of IMAGE: HOST/ocp/release: ${reason} (HINT)`;

describeWith(['openssl'], 'a release image', () => {
  test.each<{
    name: string;
    paths: readonly string[];
    other?: Record<string, RequestListener>;
    want: string;
  }>([
    {
      name: 'with its manifests in the last layer',
      paths: ['usr/bin/cluster-version-operator', manifests],
      want: text,
    },
    { name: 'with a layer after its manifests', paths: [manifests, 'etc/labels'], want: text },
    {
      name: 'of another image',
      paths: ['usr/bin/bash'],
      want: because('it is not the image of a release: it has no coreos-bootimages.yaml'),
    },
    { name: 'without layers', paths: [], want: because('the server sent no manifest of an image') },
    {
      name: 'that the registry does not have',
      paths: [manifests],
      other: { 'manifests/4.22.0-x86_64': (_, response) => response.writeHead(404).end() },
      want: because('the registry does not have it (HTTP 404)'),
    },
    {
      name: 'for which the pull secret has no credentials',
      paths: [manifests],
      other: { blobs: (_, response) => response.writeHead(401).end() },
      want: because('the registry requires other credentials (HTTP 401)'),
    },
    {
      name: 'with a changed layer',
      paths: [manifests],
      other: { blobs: (_, response) => response.writeHead(200).end('changed') },
      want: because('the registry sent other bytes than their digest says'),
    },
    {
      name: 'with a cut layer',
      paths: [manifests],
      other: {
        blobs: (_, response) =>
          response.writeHead(200, { 'content-length': '100' }).write('cut', () => response.destroy()),
      },
      want: because('the response is incomplete'),
    },
    {
      name: 'with a layer behind a redirect without TLS',
      paths: [manifests],
      other: {
        blobs: (_, response) => response.writeHead(307, { location: 'http://cdn.example.com/' }).end(),
      },
      want: because('too many redirects, or a redirect without TLS'),
    },
  ])('$name', async ({ paths, other, want }) => {
    const place = await registryWith(await Promise.all(paths.map(layerOf)), other);
    expect(shown(await read([place]))).toBe(want);
  });

  test('is read with the credentials of its registry', async () => {
    const seen: string[] = [];
    const layer = await layerOf(manifests);
    const place = await registryWith([layer], {
      blobs: ({ headers }, response) => {
        seen.push(headers.authorization ?? '');
        if (headers.authorization === undefined)
          response.writeHead(401, { 'www-authenticate': 'Basic realm="r"' }).end();
        else response.writeHead(200).end(layer);
      },
    });
    const auth = Buffer.from('user:pass').toString('base64');
    const pullSecret = JSON.stringify({ auths: { [place.registry]: { auth } } });
    expect([shown(await read([place], pullSecret)), seen]).toEqual([text, ['', `Basic ${auth}`]]);
  });

  test('is read from its source if the mirror does not have it', async () => {
    const mirror = await registryWith([], {
      'manifests/4.22.0-x86_64': (_, response) => response.writeHead(404).end(),
    });
    expect(shown(await read([mirror, await registryWith([await layerOf(manifests)])]))).toBe(text);
  });
});
