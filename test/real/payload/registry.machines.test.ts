import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { readPayloadManifest } from '../../../src/config/reading/payload-manifest.js';
import type { PayloadManifest } from '../../../src/config/schema/payload-schema.js';
import { blobPath } from '../../../src/media/payload/registry-storage.js';
import { makeRelease, writeStorage } from '../../payload/made-release.js';
import { payloadPlace } from '../../payload/payload-place.js';
import { freePort } from '../../support/ports.js';
import { describeWith } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';
import { selfSigned } from '../../support/openssl.js';
import { scaledMs } from '../../support/time-scale.js';
import { waitUntil } from '../control-plane/support/wait-until.js';

const timeoutMs = scaledMs(120_000);

/** A name that no resolver knows (RFC 6761 §6.4). */
const unreachable = 'registry.invalid';

interface Served {
  readonly host: string;
  readonly manifest: PayloadManifest;
  /** The unpacked payload. */
  readonly contents: string;
  readonly podman: (...args: readonly string[]) => { readonly code: number | null; readonly text: string };
  readonly stop: () => void;
}

/** Unpacks a payload and serves it with the distribution registry, as the node does. Podman has only this mirror. */
async function serve(): Promise<Served> {
  const release = await makeRelease({ registry: unreachable });
  const { cwd, create } = payloadPlace(release);
  writeStorage(join(cwd, 'mirror'), release);
  const created = await create('--from', 'mirror', '--out', 'x.payload');
  expect(created.code).toBe(0);
  const read = readPayloadManifest(readFileSync(join(cwd, 'x.payload.json'), 'utf8'), 'x');
  if (!read.ok) throw new Error('no manifest');
  const folder = scratchFolder();
  const contents = join(folder, 'contents');
  expect(spawnSync('unsquashfs', ['-d', contents, join(cwd, 'x.payload')]).status).toBe(0);
  const host = `127.0.0.1:${await freePort()}`;
  const { cert, key } = selfSigned();
  const trust = join(folder, 'certs', host);
  mkdirSync(trust, { recursive: true });
  for (const [path, text] of [
    [join(folder, 'tls.crt'), cert],
    [join(folder, 'tls.key'), key],
    [join(trust, 'ca.crt'), cert],
    [join(folder, 'registry.yml'), registryConfig(folder, contents, host)],
    [join(folder, 'registries.conf'), registriesConf(read.value, host)],
    [join(folder, 'policy.json'), '{"default":[{"type":"insecureAcceptAnything"}]}'],
  ] as const)
    writeFileSync(path, text);
  const registry = spawn('docker-registry', ['serve', join(folder, 'registry.yml')], { stdio: 'ignore' });
  await waitUntil(
    'the registry answers',
    () => {
      const answer = spawnSync('curl', ['-sk', '-o', '/dev/null', `https://${host}/v2/`]);
      return Promise.resolve(answer.status === 0 ? true : undefined);
    },
    { tries: 120, pauseMs: 250 },
  );
  const storage = [
    '--root',
    join(folder, 'storage'),
    '--runroot',
    join(folder, 'run'),
    '--storage-driver',
    'vfs',
  ];
  return {
    host,
    manifest: read.value,
    contents,
    podman: (...args) => {
      const env = { ...process.env, CONTAINERS_REGISTRIES_CONF: join(folder, 'registries.conf') };
      const { status, stdout, stderr } = spawnSync('podman', [...storage, ...args], {
        env,
        encoding: 'utf8',
      });
      return { code: status, text: stdout + stderr };
    },
    stop: () => {
      registry.kill();
    },
  };
}

function registriesConf({ images }: PayloadManifest, mirror: string): string {
  const repositories = new Map(
    images.map(({ image, repository }) => [image.replace(/(@|:[^:/]*$).*$/, ''), repository]),
  );
  return [...repositories]
    .map(
      ([source, repository]) =>
        `[[registry]]\nlocation = "${source}"\nblocked = true\n[[registry.mirror]]\nlocation = "${mirror}/${repository}"\n`,
    )
    .join('');
}

function registryConfig(folder: string, contents: string, host: string): string {
  return `version: 0.1
storage:
  filesystem: { rootdirectory: ${contents} }
  maintenance: { readonly: { enabled: true } }
http:
  addr: ${host}
  tls: { certificate: ${folder}/tls.crt, key: ${folder}/tls.key }
`;
}

describeWith(
  ['mksquashfs', 'unsquashfs', 'docker-registry', 'podman', 'openssl', 'curl'],
  'a payload in a real registry',
  () => {
    let served: Served;
    beforeAll(async () => {
      served = await serve();
    }, timeoutMs);
    afterAll(() => {
      served.stop();
    });

    it('gives podman every image, while their own registry does not exist', { timeout: timeoutMs }, () => {
      const { manifest, podman, contents } = served;
      const certs = join(contents, '..', 'certs', served.host);
      const pulled = manifest.images.map(({ image }) => [
        image,
        podman('pull', '-q', '--cert-dir', certs, image).code,
      ]);
      expect(pulled).toEqual(manifest.images.map(({ image }) => [image, 0]));
    });

    it('has one tag for the release, and one for its bundle', () => {
      const list = (repository: string): unknown =>
        JSON.parse(
          spawnSync('curl', ['-sk', `https://${served.host}/v2/${repository}/tags/list`], {
            encoding: 'utf8',
          }).stdout,
        );
      const { image } = served.manifest.release;
      const hex = image.slice(image.indexOf('@sha256:') + '@sha256:'.length);
      expect(list('openshift/release-images')).toEqual({ name: 'openshift/release-images', tags: [hex] });
      expect(list('openshift/release-bundles')).toMatchObject({ tags: ['ocp-release-bundle-4.22.0-x86_64'] });
    });

    it(
      'contains the registry image in a form that podman loads by its digest',
      { timeout: timeoutMs },
      () => {
        const { podman, contents, manifest } = served;
        const loaded = podman('pull', '-q', `dir:${join(contents, 'images/registry')}`);
        expect(loaded.code).toBe(0);
        const [, digest = ''] = manifest.registry.image.split('@');
        expect(podman('images', '--digests', '--format', '{{.Digest}}').text).toContain(digest);
      },
    );

    it('with a changed blob is refused by podman', { timeout: timeoutMs }, () => {
      const { manifest, podman, contents, host } = served;
      const etcd = manifest.images.find(({ name }) => name === 'etcd');
      const layers = JSON.parse(readFileSync(join(contents, blobPath(etcd?.digest ?? '')), 'utf8')) as {
        readonly layers: readonly { readonly digest: string }[];
      };
      const path = join(contents, blobPath(layers.layers[1]?.digest ?? ''));
      const bytes = readFileSync(path);
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
      writeFileSync(path, bytes);
      podman('rmi', '-a', '-f');
      const { code, text } = podman(
        'pull',
        '--cert-dir',
        join(contents, '..', 'certs', host),
        etcd?.image ?? '',
      );
      expect([code, readdirSync(contents).toSorted()]).toEqual([125, ['docker', 'images', 'payload.json']]);
      expect(text).toMatch(/digest|corrupt|invalid/i);
    });
  },
);
