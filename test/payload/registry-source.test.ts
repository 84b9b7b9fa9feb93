import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, it, onTestFinished } from 'vitest';

import { minimalInstallConfig } from '../support/minimal-config.js';
import { selfSigned } from '../support/openssl.js';
import { listeningPort } from '../support/ports.js';
import { describeWith } from '../support/programs.js';
import { scaledMs } from '../support/time-scale.js';
import { makeRelease, withCatalogByDigest, type MadeRelease } from './made-release.js';
import { payloadPlace } from './payload-place.js';

const credentials = Buffer.from('user:password').toString('base64');

interface Quirks {
  /** Requests for a blob that break off after the first half. */
  readonly cutBlobs?: number;
  /** Manifest requests that the registry refuses for a moment. */
  readonly busyManifests?: number;
  /** Number of blobs after which a token is no longer valid. */
  readonly tokenUses?: number;
  /** Blobs that the registry sends with other bytes. */
  readonly isLiar?: boolean;
}

let tls = { cert: '', key: '' };

/**
 * A registry with short-lived tokens, whose blobs are on another server that rejects credentials. Sources: distribution
 * docs/spec/auth/token.md; quay.io redirects blobs to presigned URLs; S3 answers HTTP 400 to a request with two authorizations
 */
class HostileRegistry {
  release: MadeRelease | undefined;
  /** Uses that are left, by token. */
  private readonly tokens = new Map<string, number>();
  private cuts: number;
  private busy: number;
  readonly seen = { cuts: 0, tokens: 0, busy: 0, ranges: 0 };
  private blobHost = '';
  host = '';

  constructor(private readonly quirks: Quirks) {
    this.cuts = quirks.cutBlobs ?? 0;
    this.busy = quirks.busyManifests ?? 0;
  }

  async start(): Promise<void> {
    const registry = createServer(tls, (request, response) => {
      this.answer(request, response);
    });
    const blobs = createServer(tls, (request, response) => {
      this.sendBlob(request, response);
    });
    for (const server of [registry, blobs])
      onTestFinished(() => {
        server.closeAllConnections();
        server.close();
      });
    this.host = `127.0.0.1:${await listeningPort(registry)}`;
    this.blobHost = `127.0.0.1:${await listeningPort(blobs)}`;
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '', `https://${this.host}`);
    const { authorization = '' } = request.headers;
    if (url.pathname === '/token') {
      const isKnown = authorization === `Basic ${credentials}`;
      this.seen.tokens += 1;
      const token = `t${this.seen.tokens}`;
      this.tokens.set(`Bearer ${token}`, this.quirks.tokenUses ?? 1000);
      response.writeHead(isKnown ? 200 : 401).end(JSON.stringify({ token }));
      return;
    }
    const uses = this.tokens.get(authorization) ?? 0;
    if (uses <= 0) {
      const challenge = `Bearer realm="https://${this.host}/token",service="registry"`;
      response.writeHead(401, { 'www-authenticate': challenge }).end('{}');
      return;
    }
    const [, repository = '', kind = '', reference = ''] =
      /^\/v2\/(.+)\/(manifests|blobs)\/([^/]+)$/.exec(url.pathname) ?? [];
    if (kind === 'blobs') {
      this.tokens.set(authorization, uses - 1);
      response.writeHead(307, { location: `https://${this.blobHost}/${reference}?signature=1` }).end();
      return;
    }
    if (this.busy > 0) {
      this.busy -= 1;
      this.seen.busy += 1;
      response.writeHead(503).end();
      return;
    }
    const image = this.release?.images.find(
      (each) => each.repository === repository && each.tag === reference,
    );
    const bytes = this.release?.blobs.get(image?.digest ?? reference);
    response.writeHead(bytes === undefined ? 404 : 200, { 'content-type': 'application/vnd.oci' }).end(bytes);
  }

  private sendBlob(request: IncomingMessage, response: ServerResponse): void {
    if (request.headers.authorization !== undefined) {
      response.writeHead(400).end('two authorizations');
      return;
    }
    const [digest = ''] = (request.url ?? '').slice(1).split('?');
    const whole = this.release?.blobs.get(digest) ?? Buffer.alloc(0);
    const bytes = this.quirks.isLiar === true ? Buffer.alloc(whole.length, 'x') : whole;
    const [, from] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? [];
    const start = Number(from ?? 0);
    if (from !== undefined) this.seen.ranges += 1;
    const range = { 'content-range': `bytes ${start}-${bytes.length - 1}/${bytes.length}` };
    const length = { 'content-length': String(bytes.length - start), etag: `"${digest}"` };
    response.writeHead(from === undefined ? 200 : 206, { ...length, ...(from !== undefined && range) });
    if (this.cuts > 0 && bytes.length > 1000 && from === undefined) {
      this.cuts -= 1;
      this.seen.cuts += 1;
      response.write(bytes.subarray(0, 500), () => response.destroy());
      return;
    }
    response.end(bytes.subarray(start));
  }
}

/** Mirrors of all repositories of a release, with their own paths. */
const mirrorsTo = (host: string): string =>
  ['openshift-release-dev', 'operators']
    .map((path) => `  - source: quay.io/${path}\n    mirrors: [${host}/${path}]\n`)
    .join('');

async function siteOf(
  quirks: Quirks,
  { isMirror = false, isSigned = true } = {},
): Promise<{ registry: HostileRegistry; place: ReturnType<typeof payloadPlace> }> {
  const registry = new HostileRegistry(quirks);
  await registry.start();
  const made = await makeRelease({ isSigned, ...(!isMirror && { registry: registry.host }) });
  const release = isMirror ? withCatalogByDigest(made) : made;
  registry.release = release;
  const pullSecret = JSON.stringify({ auths: { [registry.host]: { auth: credentials } } });
  const bundle = tls.cert.trim().replaceAll('\n', '\n  ');
  const install = minimalInstallConfig
    .replace(/^pullSecret:.*$/m, `pullSecret: '${pullSecret}'`)
    .concat(`additionalTrustBundle: |\n  ${bundle}\n`)
    .concat(isMirror ? `imageDigestSources:\n${mirrorsTo(registry.host)}` : '');
  return { registry, place: payloadPlace(release, { install }) };
}

describeWith(['mksquashfs', 'openssl'], 'create payload from a registry', () => {
  beforeAll(() => {
    tls = selfSigned();
  });

  it(
    'copies with tokens, redirects, a busy registry and connections that break off',
    async () => {
      const { registry, place } = await siteOf({ cutBlobs: 2, busyManifests: 1, tokenUses: 8 });
      const { code, stderr } = await place.create('--out', 'x.payload');
      expect([code, stderr]).toEqual([0, '']);
      expect(readFileSync(join(place.cwd, 'x.payload'), 'latin1').startsWith('hsqs')).toBe(true);
      const { cuts, busy, ranges, tokens } = registry.seen;
      expect({ cuts, busy, ranges, hasRenewed: tokens > 2 }).toEqual({
        cuts: 2,
        busy: 1,
        ranges: 2,
        hasRenewed: true,
      });
    },
    scaledMs(30_000),
  );

  it(
    'copies signatures from the mirror that has the images',
    async () => {
      const { place } = await siteOf({}, { isMirror: true });
      const { code, stderr } = await place.create('--out', 'x.payload');
      expect([code, stderr]).toEqual([0, '']);
      const { images } = JSON.parse(readFileSync(join(place.cwd, 'x.payload.json'), 'utf8')) as {
        readonly images: readonly { readonly image: string; readonly signature?: string }[];
      };
      const isSigned = images.map(({ image, signature }) => [image.split('@')[0], signature !== undefined]);
      expect(isSigned).toEqual([
        ...Array.from({ length: 1 }, () => ['quay.io/openshift-release-dev/ocp-release', true]),
        ...Array.from({ length: 4 }, () => ['quay.io/openshift-release-dev/ocp-v4.0-art-dev', true]),
        ['quay.io/operators/catalog', false],
      ]);

      const unsigned = await siteOf({}, { isMirror: true, isSigned: false });
      const refused = await unsigned.place.create('--out', 'x.payload');
      expect([refused.code, refused.stderr]).toEqual([
        1,
        expect.stringContaining(
          'error[payload/missing-signature]: 5 of 5 images have no signature, and OpenShift 4.22.0 does not run them: ',
        ),
      ]);
    },
    scaledMs(30_000),
  );

  it('refuses a registry that sends other bytes', async () => {
    const { place } = await siteOf({ isLiar: true });
    const { code, stderr } = await place.create('--out', 'x.payload');
    expect([code, stderr]).toEqual([
      3,
      expect.stringMatching(/does not have the published SHA-256 [0-9a-f]{64}$/m),
    ]);
    expect(stderr).toContain('error[payload/pull]');
    expect(existsSync(join(place.cwd, 'x.payload'))).toBe(false);
  });
});
