import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { buildTimeoutMs, hasGo, toolPath } from '../real/control-plane/support/tools.js';
import { describeWith } from '../support/programs.js';
import { scratchFolder } from '../support/scratch.js';
import { cloneOfSources, run, type Exit } from './support/clone-of-sources.js';

interface Bill {
  readonly serialNumber: string;
  readonly metadata: {
    readonly timestamp: string;
    readonly component: {
      readonly 'bom-ref': string;
      readonly hashes: readonly [{ readonly content: string }];
    };
  };
  readonly components: readonly { readonly 'bom-ref': string; readonly components?: readonly unknown[] }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

function keyPair(folder: string, name: string): { readonly secret: string; readonly open: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const [secret, open] = [join(folder, `${name}.pem`), join(folder, `${name}.pub`)];
  writeFileSync(secret, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(open, publicKey.export({ type: 'spki', format: 'pem' }));
  return { secret, open };
}

describeWith([hasGo ? 'bash' : 'go', 'git', 'openssl', 'sha256sum'], 'the files of a release', () => {
  let folder = '';
  let out = '';
  let verifier = '';
  let keys = { secret: '', open: '' };
  const builder = 'https://builder.example/nightly';
  const make = (...args: readonly string[]): Exit =>
    run(folder, process.execPath, 'scripts/release-files.mjs', ...args);
  const at = (name: string): string => join(out, name);
  const textOf = (name: string): string => readFileSync(at(name), 'utf8');

  beforeAll(async () => {
    verifier = await toolPath('sigstore', 'sigstore-verify');
    folder = cloneOfSources(join(scratchFolder(), 'clone'));
    out = join(scratchFolder(), 'release');
    keys = keyPair(scratchFolder(), 'release');
    const made = make('--out', out, '--executables', 'linux-x64', '--key', keys.secret, '--builder', builder);
    expect(made.status, made.stderr).toBe(0);
  }, buildTimeoutMs);

  it('are the requested files with their companions', () => {
    const signed = ['sno-install-0.1.0.tgz', 'sno-install-linux-x64'];
    expect(readdirSync(out).sort()).toEqual(
      [
        'LICENSES.txt',
        'SHA256SUMS',
        'SHA256SUMS.sig',
        'SHA256SUMS.sigstore.json',
        'provenance.sigstore.json',
        ...signed.flatMap((name) => [name, `${name}.cdx.json`, `${name}.sigstore.json`]),
      ].sort(),
    );
    expect(run(out, 'sha256sum', '--check', '--strict', 'SHA256SUMS')).toMatchObject({ status: 0 });
  });

  it.each(['sno-install-0.1.0.tgz', 'sno-install-linux-x64'])('include a bill of materials of %s', (name) => {
    const { serialNumber, metadata, components, dependencies } = JSON.parse(
      textOf(`${name}.cdx.json`),
    ) as Bill;
    expect(metadata.timestamp).toBe('2023-11-14T22:13:20.000Z');
    expect(serialNumber).toMatch(/^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(textOf('SHA256SUMS')).toContain(`${metadata.component.hashes[0].content}  ${name}\n`);
    const after = new Map(dependencies.map(({ ref, dependsOn = [] }) => [ref, dependsOn]));
    const reached = new Set([metadata.component['bom-ref']]);
    for (const ref of reached) for (const next of after.get(ref) ?? []) reached.add(next);
    expect(components.map((each) => each['bom-ref']).filter((ref) => !reached.has(ref))).toEqual([]);
    const node = components.find((each) => each['bom-ref'].startsWith('pkg:generic/node@'));
    const parts = JSON.stringify(node?.components ?? []);
    expect([parts.includes('pkg:generic/openssl@'), parts.includes('pkg:generic/v8@')]).toEqual(
      name.endsWith('.tgz') ? [false, false] : [true, true],
    );
  });

  it('verify with the library of cosign, but not with a changed byte or another key', () => {
    const other = keyPair(scratchFolder(), 'other').open;
    for (const name of ['sno-install-0.1.0.tgz', 'sno-install-linux-x64', 'SHA256SUMS']) {
      const bundle = at(`${name}.sigstore.json`);
      expect(run(out, verifier, keys.open, bundle, at(name))).toMatchObject({ status: 0, stdout: '' });
      expect(run(out, verifier, other, bundle, at(name))).toMatchObject({ status: 1 });
      const changed = join(scratchFolder(), name);
      writeFileSync(changed, Buffer.concat([readFileSync(at(name)), Buffer.from('\n')]));
      expect(run(out, verifier, keys.open, bundle, changed)).toMatchObject({ status: 1 });
    }
    const openssl = ['dgst', '-sha256', '-verify', keys.open, '-signature', 'SHA256SUMS.sig', 'SHA256SUMS'];
    expect(run(out, 'openssl', ...openssl)).toMatchObject({ status: 0, stdout: 'Verified OK\n' });
  });

  it('have a provenance with their sources and names', () => {
    const bundle = at('provenance.sigstore.json');
    const names = textOf('SHA256SUMS')
      .split('\n')
      .flatMap((line) => line.split('  ')[1] ?? []);
    expect(names).toHaveLength(5);
    for (const name of names)
      expect(run(out, verifier, keys.open, bundle, at(name))).toMatchObject({
        status: 0,
        stdout: 'https://slsa.dev/provenance/v1\n',
      });
    expect(run(out, verifier, keys.open, bundle, at('SHA256SUMS'))).toMatchObject({ status: 1 });
    const { dsseEnvelope } = JSON.parse(textOf('provenance.sigstore.json')) as {
      readonly dsseEnvelope: { readonly payload: string };
    };
    const statement: unknown = JSON.parse(Buffer.from(dsseEnvelope.payload, 'base64').toString());
    const commit = run(folder, 'git', 'rev-parse', 'HEAD').stdout.trim();
    const [lock = ''] = run(folder, 'sha256sum', 'package-lock.json').stdout.split(' ');
    expect(statement).toMatchObject({
      predicate: {
        buildDefinition: {
          buildType: `${builder}#sno-install-release-files-v1`,
          externalParameters: { executables: ['linux-x64'], images: [] },
          resolvedDependencies: [
            { name: 'sources', digest: { gitCommit: commit } },
            { name: 'package-lock.json', digest: { sha256: lock } },
            { name: 'scripts/single-file/package-lock.json' },
            { uri: `pkg:generic/node@${process.versions.node}` },
            { name: 'npm' },
          ],
        },
        runDetails: { builder: { id: builder } },
      },
    });
  });

  it('are not signed with uncommitted changes or another type of key', () => {
    const target = join(scratchFolder(), 'none');
    writeFileSync(join(folder, 'README.md'), 'changed');
    const dirty = make('--out', target, '--key', keys.secret, '--builder', builder);
    expect([dirty.status, dirty.stderr]).toEqual([1, expect.stringContaining('README.md')]);
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
    const large = join(scratchFolder(), 'large.pem');
    writeFileSync(large, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const refused = make('--out', target, '--key', large, '--builder', builder);
    expect([refused.status, refused.stderr]).toEqual([
      1,
      expect.stringContaining('is not an ECDSA P-256 key'),
    ]);
    expect(make('--out', out)).toMatchObject({ status: 2 });
    expect(make('--out', target, '--key', keys.secret)).toMatchObject({ status: 2 });
    expect(make('--out', target, '--key', keys.secret, '--builder', 'me')).toMatchObject({ status: 2 });
    expect(existsSync(target)).toBe(false);
  });
});

describe('are identical in a second build', () => {
  describeWith(['faketime', 'git'], 'where nothing but the sources is the same', () => {
    it('the files of a release are of equal bytes', { timeout: buildTimeoutMs }, () => {
      const { status, stdout, stderr } = run('.', process.execPath, 'scripts/reproduce.mjs');
      expect([status, stdout.includes('the clock was the same')], stdout + stderr).toEqual([0, false]);
      expect(stdout).toContain('5 files made twice, 0 differ\n');
    });
  });
});
