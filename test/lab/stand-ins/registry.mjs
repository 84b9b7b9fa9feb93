// A stub of all public registries on the machine's loopback. It serves an OCI layout to podman and fails if the lab requested
// that. Source of the paths: OCI distribution specification, pull.
import { createReadStream, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

import { data, keyOf, perhapsDie, perhapsFail } from './lab-state.mjs';

const layout = join(data, 'registry');
const { manifests } = JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8'));
const manifestType = 'application/vnd.oci.image.manifest.v1+json';

createServer((request, response) => {
  const [, name, kind, reference] = /^\/v2\/(.+)\/(manifests|blobs)\/([^/]+)$/.exec(request.url) ?? [];
  if (request.url === '/v2/') response.end();
  else if (kind === 'manifests') answerManifest(request, response, name, reference);
  else if (kind === 'blobs') send(response, reference, 'application/octet-stream');
  else response.writeHead(404).end();
}).listen(5000, '127.0.0.1', () => {
  writeFileSync('/run/sno-lab/registry', '');
});

function answerManifest(request, response, name, reference) {
  const key = keyOf(name);
  if (request.method === 'GET') perhapsDie(`pull ${key}`, unitThatPulls(name, reference));
  if (perhapsFail(`pull-${key}`)) return request.socket.destroy();
  const found = manifests.find(
    ({ digest, annotations }) =>
      reference === digest || annotations['io.containerd.image.name'] === `${name}:${reference}`,
  );
  if (found === undefined) response.writeHead(404).end();
  else send(response, found.digest, manifestType);
}

/** Recorded by the podman wrapper. */
function unitThatPulls(name, reference) {
  const separator = reference.includes(':') ? '@' : ':';
  const image = `${name}${separator}${reference}`.replaceAll('/', '_');
  try {
    return readFileSync(`/run/sno-lab/pull-of-${image}`, 'utf8').trim();
  } catch {
    return undefined;
  }
}

function send(response, digest, type) {
  response.setHeader('Content-Type', type);
  response.setHeader('Docker-Content-Digest', digest);
  const stream = createReadStream(join(layout, 'blobs', digest.replace(':', '/')));
  stream.on('error', () => response.writeHead(404).end());
  stream.pipe(response);
}
