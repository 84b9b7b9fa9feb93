// The pulls of the live system with the scripts of templates/live and the real podman, from a registry with a rate and a delay.
import { execFileSync, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';

import { assumed, links, pullTimes, stageImages } from '../scripts/docs/boot-flow/pull-times.mjs';
import { scratch } from './measuring.mjs';

/** Sizes, work and round trips are divided by this; the rate is not, so that the times are divided too. */
const scale = 10;
const manifestType = 'application/vnd.oci.image.manifest.v1+json';
const configType = 'application/vnd.oci.image.config.v1+json';
const layerType = 'application/vnd.oci.image.layer.v1.tar';

/** For each link: images pulled one after another, and ahead; with the times of the model. */
export async function timesOfPulls() {
  const rows = [];
  for (const link of links) {
    const registry = await slowRegistry(link);
    for (const [name, parallelPulls] of [
      ['one after another', 0],
      ['ahead', 3],
    ]) {
      const ms = await timeOfRun(registry.port, parallelPulls > 0);
      const model = pullTimes({ ...link, parallelPulls }).seconds;
      const seconds = (ms * scale) / 1000;
      rows.push([
        `pulls: ${link.name}, ${name}`,
        undefined,
        `${seconds.toFixed(0)} s (model: ${model.toFixed(0)} s)`,
      ]);
    }
    registry.close();
  }
  return rows;
}

/** Runs the stages on an empty storage; returns milliseconds. */
async function timeOfRun(port, isAhead) {
  const folder = join(scratch, 'pulls');
  const root = join(folder, 'root');
  const put = (path, text) => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text, { mode: 0o755 });
  };
  mkdirSync(join(root, 'var/lib/containers'), { recursive: true });
  put('root/root/.docker/config.json', '{"auths":{}}');
  put('root/opt/openshift/sno-install.env', "SNO_RELEASE_IMAGE='release'\nSNO_RENDER='Release'\n");
  const images = [...new Set(stageImages().flat())];
  put(
    'root/run/sno-install/payload-images',
    images.map((name) => `${name}\t127.0.0.1:${port}/bench/${name}:1\n`).join(''),
  );
  put('policy.json', '{"default":[{"type":"insecureAcceptAnything"}]}');
  put('programs/podman', podman(folder));
  put('run.sh', script(port, isAhead));
  const env = { ...process.env, SNO_ROOT: root, PATH: `${join(folder, 'programs')}:${process.env.PATH}` };
  const start = performance.now();
  const child = spawn('bash', [join(folder, 'run.sh')], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const [status] = await once(child, 'exit');
  if (status !== 0) throw new Error(`the stages end with ${status}`);
  const ms = performance.now() - start;
  rmSync(folder, { recursive: true, force: true });
  return ms;
}

/** The real podman with its storage in the folder. The release image counts as pulled. */
function podman(folder) {
  return `#!/bin/bash
if [[ "\${*}" == 'image exists release' ]]; then exit 0; fi
options=()
if [[ "\${1}" == pull ]]; then options=(--tls-verify=false --signature-policy=${folder}/policy.json); fi
exec /usr/bin/podman --root=${folder}/storage --runroot=${folder}/runroot --storage-driver=vfs "\${1}" "\${options[@]}" "\${@:2}"
`;
}

function script(port, isAhead) {
  const bin = resolve('templates/live/usr/local/bin');
  return `set -Eeuo pipefail
source ${bin}/sno-common.sh
source ${bin}/bootkube-tools.sh
{
  curl --silent --fail --output /dev/null http://127.0.0.1:${port}/system
  sleep ${assumed.checkout / scale}
  ${isAhead ? `${bin}/sno-fetch-images.sh &` : ''}
  sleep ${assumed.start / scale}
  for record_stage in $(stage_images | cut --delimiter=' ' --fields=1 | uniq); do
    with_images true
    sleep ${assumed.stage / scale}
  done
} 2>/dev/null
`;
}

/** A registry on loopback. All answers share the rate of the link, and each begins after a round trip. */
async function slowRegistry({ megabitsPerSecond, roundTrip }) {
  const contents = new Map();
  const blobOf = (bytes) => {
    const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
    contents.set(digest, bytes);
    return { digest, size: bytes.length };
  };
  const answers = new Set();
  const answer = (response, bytes) => answers.add({ response, bytes, sent: 0 });
  for (const name of new Set(stageImages().flat())) contents.set(name, manifestOf(blobOf));
  contents.set('system', randomBytes((assumed.systemMegabytes * 1e6) / scale));
  const server = createServer((request, response) => {
    const [, name, blob] =
      /^\/(?:v2\/bench\/)?([^/]+)(?:\/(?:manifests\/1|blobs\/(.+)))?$/.exec(request.url) ?? [];
    const bytes = request.url === '/v2/' ? Buffer.alloc(0) : contents.get(blob ?? name);
    if (bytes === undefined) return response.writeHead(404).end();
    response.setHeader('Content-Length', bytes.length);
    if (name !== undefined && blob === undefined) response.setHeader('Content-Type', manifestType);
    setTimeout(() => answer(response, bytes), (roundTrip * 1000) / scale);
  });
  let then = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    share(answers, (((now - then) / 1000) * megabitsPerSecond * 1e6) / 8);
    then = now;
  }, 5);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    clearInterval(timer);
    server.closeAllConnections();
    server.close();
  };
  return { port: server.address().port, close };
}

/** An image with one layer of random bytes. Returns the bytes of its manifest. */
function manifestOf(blobOf) {
  const folder = join(scratch, 'layer');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'file'), randomBytes((assumed.imageMegabytes * 1e6) / scale));
  const tar = execFileSync('tar', ['--create', '--directory', folder, 'file'], { maxBuffer: 1e9 });
  const layer = blobOf(tar);
  const config = blobOf(
    Buffer.from(
      JSON.stringify({
        architecture: process.arch === 'x64' ? 'amd64' : process.arch,
        os: 'linux',
        rootfs: { type: 'layers', diff_ids: [layer.digest] },
      }),
    ),
  );
  return Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: manifestType,
      config: { mediaType: configType, ...config },
      layers: [{ mediaType: layerType, ...layer }],
    }),
  );
}

/** Sends the next bytes of all answers, shared equally. */
function share(answers, bytes) {
  const part = Math.ceil(bytes / Math.max(answers.size, 1));
  for (const each of answers) {
    each.response.write(each.bytes.subarray(each.sent, each.sent + part));
    each.sent += part;
    if (each.sent < each.bytes.length && !each.response.destroyed) continue;
    each.response.end();
    answers.delete(each);
  }
}
