// Pushes an image without layers: `node push-image.mjs URL USER:PASSWORD`, where URL is that of the repository below /v2/. Prints its digest.
import { createHash } from 'node:crypto';

const [repository, user] = process.argv.slice(2);
const authorization = `Basic ${Buffer.from(user).toString('base64')}`;
const digestOf = (bytes) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

async function ask(url, options, status) {
  const answer = await fetch(url, { ...options, headers: { authorization, ...options.headers } });
  if (answer.status !== status)
    throw new Error(`${options.method} ${url}: ${answer.status} ${await answer.text()}`);
  return answer;
}

const config = Buffer.from('{"architecture":"amd64","os":"linux","rootfs":{"type":"layers","diff_ids":[]}}');
const begun = await ask(`${repository}/blobs/uploads/`, { method: 'POST' }, 202);
const upload = new URL(begun.headers.get('location'), repository);
upload.searchParams.set('digest', digestOf(config));
await ask(
  upload,
  { method: 'PUT', body: config, headers: { 'content-type': 'application/octet-stream' } },
  201,
);
const mediaType = 'application/vnd.docker.distribution.manifest.v2+json';
const manifest = Buffer.from(
  JSON.stringify({
    schemaVersion: 2,
    mediaType,
    config: {
      mediaType: 'application/vnd.docker.container.image.v1+json',
      size: config.length,
      digest: digestOf(config),
    },
    layers: [],
  }),
);
await ask(
  `${repository}/manifests/4.21.0-x86_64`,
  { method: 'PUT', body: manifest, headers: { 'content-type': mediaType } },
  201,
);
process.stdout.write(digestOf(manifest));
