import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';

import { beforeAll, describe, expect, it } from 'vitest';

import { readPayloadManifest } from '../../src/config/reading/payload-manifest.js';
import { blobPath } from '../../src/media/payload/registry-storage.js';
import { snoInProcess } from '../support/in-process.js';
import { minimalInstallConfig, snoConfigText } from '../support/minimal-config.js';
import { describeWith } from '../support/programs.js';
import { scratchFolder } from '../support/scratch.js';
import {
  makeRelease,
  withCatalogByDigest,
  writeDirs,
  writeLayout,
  writeStorage,
  type MadeRelease,
} from './made-release.js';
import { payloadPlace } from './payload-place.js';

describeWith(['mksquashfs', 'tar'], 'create payload', () => {
  let release: MadeRelease;
  beforeAll(async () => {
    release = await makeRelease();
  });

  it('writes the same bytes from the storage of a registry, a mirror archive, an OCI layout and dir: folders', async () => {
    const { cwd, create } = payloadPlace(withCatalogByDigest(release));
    writeStorage(join(cwd, 'workspace/.oc-mirror/.cache'), release);
    writeStorage(join(cwd, 'archived'), release);
    const archive = ['-C', join(cwd, 'archived'), '-cf', join(cwd, 'archived/mirror_000001.tar'), 'docker'];
    expect(spawnSync('tar', archive).status).toBe(0);
    rmSync(join(cwd, 'archived/docker'), { recursive: true });
    writeLayout(join(cwd, 'layout'), release);
    writeDirs(join(cwd, 'dirs'), release);
    const sources = ['workspace', 'archived', 'archived/mirror_000001.tar', 'layout', 'dirs'];
    for (const [index, source] of sources.entries()) {
      const { code, stderr } = await create('--from', source, '--out', `${index}.payload`);
      expect([source, code, stderr]).toEqual([source, 0, '']);
    }
    const [first = Buffer.alloc(0), ...others] = sources.map((_, index) =>
      readFileSync(join(cwd, `${index}.payload`)),
    );
    expect(others.map((other) => other.equals(first))).toEqual(others.map(() => true));
    expect(readdirSync(cwd).filter((name) => name.includes('partial') || name.startsWith('.'))).toEqual([]);
  });

  it('names the release, its images and those of payload.yaml, and writes the manifest beside the payload', async () => {
    const { cwd, create } = payloadPlace(release);
    writeStorage(join(cwd, 'mirror'), release);
    const { code, stdout } = await create('--from', 'mirror', '--out', 'x.payload', '-o', 'json');
    const text = readFileSync(join(cwd, 'x.payload.json'), 'utf8');
    const manifest = readPayloadManifest(text, 'x.payload.json');
    if (!manifest.ok) throw new Error('the manifest is invalid');
    const { images, ...rest } = manifest.value;
    expect(images.map(({ name, image, repository }) => ({ name, image, repository }))).toEqual(
      [
        ...['cli', 'docker-registry', 'etcd', 'hyperkube'].map((name) => ({
          name,
          image: release.specs[name] ?? '',
          repository: 'openshift/release',
        })),
        { name: undefined, image: release.image, repository: 'openshift/release-images' },
        { name: undefined, image: 'quay.io/operators/catalog:v1', repository: 'operators/catalog' },
      ].toSorted((left, right) => (left.image < right.image ? -1 : 1)),
    );
    expect(rest).toMatchObject({
      release: { image: release.image, version: '4.22.0', architecture: 'amd64' },
      registry: { image: release.specs['docker-registry'], isOfRelease: true, isManaged: true },
    });
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      {
        ok: true,
        path: 'x.payload',
        manifestPath: 'x.payload.json',
        images: 6,
        bytes: readFileSync(join(cwd, 'x.payload')).length,
        fileSystem: rest.fileSystem,
      },
    ]);
    expect(readFileSync(join(cwd, 'x.payload')).includes(text)).toBe(true);
  });

  it('lists all missing images in one problem, and continues when they are there', async () => {
    const { cwd, create } = payloadPlace(release);
    const storage = join(cwd, 'mirror');
    writeStorage(storage, release);
    const missing = ['cli', 'etcd'].map((name) => release.specs[name]?.split('@')[1] ?? '');
    for (const digest of missing) renameSync(join(storage, blobPath(digest)), join(storage, digest));
    const refused = await create('--from', 'mirror', '--out', 'x.payload');
    expect([refused.code, refused.stderr.split('\n')[0]]).toEqual([
      1,
      `error[payload/missing-image]: 2 of 6 images are missing: cli, etcd (the first: no manifest ${missing[0] ?? ''})`,
    ]);
    expect(existsSync(join(cwd, 'x.payload'))).toBe(false);
    expect(refused.stderr).toContain(
      '\n1 error; x.payload.partial keeps what was copied, and the next run continues it\n',
    );
    for (const digest of missing) renameSync(join(storage, digest), join(storage, blobPath(digest)));
    expect((await create('--from', 'mirror', '--out', 'x.payload')).code).toBe(0);
    expect(existsSync(join(cwd, 'x.payload.partial'))).toBe(false);
  });

  it('refuses a blob whose bytes do not have its digest', async () => {
    const { cwd, create } = payloadPlace(release);
    writeStorage(join(cwd, 'mirror'), release);
    const [, layer = ''] = release.images[0]?.blobs.toReversed() ?? [];
    writeFileSync(join(cwd, 'mirror', blobPath(layer)), 'tampered');
    const { code, stderr } = await create('--from', 'mirror', '--out', 'x.payload');
    expect([code, stderr]).toEqual([1, expect.stringContaining(`does not have the hash of blob ${layer}`)]);
    expect(existsSync(join(cwd, 'x.payload'))).toBe(false);
  });

  it('keeps an existing payload without --overwrite', async () => {
    const { cwd, create } = payloadPlace(release);
    writeStorage(join(cwd, 'mirror'), release);
    writeFileSync(join(cwd, 'x.payload'), 'mine');
    const { code, stderr } = await create('--from', 'mirror', '--out', 'x.payload');
    expect([code, stderr]).toEqual([1, expect.stringContaining('error[media/output]')]);
    expect(readFileSync(join(cwd, 'x.payload'), 'utf8')).toBe('mine');
    expect((await create('--from', 'mirror', '--out', 'x.payload', '--overwrite')).code).toBe(0);
    expect(readFileSync(join(cwd, 'x.payload'), 'latin1').startsWith('hsqs')).toBe(true);
  });

  it('needs a registry image for a release before 4.21', async () => {
    const old = await makeRelease({ version: '4.20.3', gated: [] });
    const without = payloadPlace(old, { version: '4.20' });
    writeStorage(join(without.cwd, 'mirror'), old);
    const refused = await without.create('--from', 'mirror', '--out', 'x.payload');
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining(
        'error[payload/no-registry-image]: release 4.20.3 contains no image that can serve the payload on the node',
      ),
    ]);
    const registry = old.specs['cli'] ?? '';
    const named = payloadPlace(old, { version: '4.20', extra: `registryImage: ${registry}\n` });
    writeStorage(join(named.cwd, 'mirror'), old);
    expect((await named.create('--from', 'mirror', '--out', 'x.payload')).code).toBe(0);
    expect(JSON.parse(readFileSync(join(named.cwd, 'x.payload.json'), 'utf8'))).toMatchObject({
      registry: { image: registry, isOfRelease: false, isManaged: false },
    });
  });

  // Builds of 4.22 before August 2026 have the gate only in the previews. Source: openshift/api pull 2979
  it('records whether the operator serves the payload on the node', async () => {
    const early = await makeRelease({ gated: ['TechPreviewNoUpgrade', 'DevPreviewNoUpgrade'] });
    const { cwd, create } = payloadPlace(early);
    writeStorage(join(cwd, 'mirror'), early);
    expect((await create('--from', 'mirror', '--out', 'x.payload')).code).toBe(0);
    expect(JSON.parse(readFileSync(join(cwd, 'x.payload.json'), 'utf8'))).toMatchObject({
      registry: { isOfRelease: true, isManaged: false },
    });
  });

  it('names a release with layers that are not gzip', async () => {
    const plain = await makeRelease({ isCompressed: false });
    const { cwd, create } = payloadPlace(plain);
    writeStorage(join(cwd, 'mirror'), plain);
    const { code, stderr } = await create('--from', 'mirror', '--out', 'x.payload');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/layer sha256:\S+ of \S+ is no gzip archive/)]);
  });

  // Source of the scopes: openshift/cluster-update-keys manifests.rhel/0000_90_openshift-cluster-image-policy.yaml
  it.each([
    { version: '4.20.3', featureSet: '', unsigned: '' },
    { version: '4.20.3', featureSet: 'TechPreviewNoUpgrade', unsigned: '1 of 1' },
    { version: '4.21.0', featureSet: '', unsigned: '1 of 1' },
    { version: '4.22.0', featureSet: '', unsigned: '5 of 5' },
    { version: '5.0.1', featureSet: '', unsigned: '5 of 5' },
  ])('of $version, feature set "$featureSet", needs signatures of $unsigned images', async (given) => {
    const unsigned = await makeRelease({ version: given.version, isSigned: false });
    const install = `${minimalInstallConfig}featureSet: '${given.featureSet}'\n`;
    const { cwd, create } = payloadPlace(unsigned, {
      install,
      version: given.version.slice(0, -2),
      extra: `registryImage: ${unsigned.specs['cli'] ?? ''}\n`,
    });
    writeStorage(join(cwd, 'mirror'), unsigned);
    const { stderr } = await create('--from', 'mirror', '--out', 'x.payload');
    const [, count = ''] =
      /^error\[payload\/missing-signature\]: (\d+ of \d+) images have no signature/m.exec(stderr) ?? [];
    expect([count, existsSync(join(cwd, 'x.payload'))]).toEqual([given.unsigned, given.unsigned === '']);
  });

  it('refuses a release of another version than the configuration says', async () => {
    const { cwd, create } = payloadPlace(release, { version: '4.21' });
    writeStorage(join(cwd, 'mirror'), release);
    const { code, stderr } = await create('--from', 'mirror', '--out', 'x.payload');
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(
        `error[payload/release]: ${release.image} is 4.22.0, but the configuration says 4.21`,
      ),
    ]);
  });

  it('refuses an image without this architecture', async () => {
    const other = await makeRelease({ architecture: 's390x' });
    const { cwd, create } = payloadPlace(other);
    writeStorage(join(cwd, 'mirror'), other);
    const { code, stderr } = await create('--from', 'mirror', '--out', 'x.payload');
    expect([code, stderr]).toEqual([1, expect.stringContaining('error[payload/release]')]);
  });

  it.each([
    ['nothing', 'no-such-folder', 'cannot be read: it does not exist'],
    ['a folder without images', 'site1', 'contains no images'],
    ['a file of another kind', 'site1/install-config.yaml', 'is no archive (tar), or it ends early'],
  ])('refuses --from with %s', async (_, from, fault) => {
    const { create } = payloadPlace(release);
    const { code, stderr } = await create('--from', from);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`error[payload/source]: --from ${from} ${fault}`),
    ]);
  });

  it('does not need the payload that sno-config.yaml names', async () => {
    const { cwd, create } = payloadPlace(release);
    writeStorage(join(cwd, 'mirror'), release);
    const config = join(cwd, 'site1/sno-config.yaml');
    writeFileSync(config, `${readFileSync(config, 'utf8')}payload: {file: ../x.payload}\n`);
    const { code, stderr } = await create('--from', 'mirror', '--out', 'x.payload');
    expect([code, stderr]).toEqual([0, '']);
    expect((await snoInProcess(['validate', 'site1'], { cwd })).code).toBe(0);
  });

  it('creates the payload of the same release again for a site that names it in the place of the release', async () => {
    const { cwd, create } = payloadPlace(release);
    writeStorage(join(cwd, 'mirror'), release);
    expect((await create('--from', 'mirror', '--out', 'x.payload')).code).toBe(0);
    const first = readFileSync(join(cwd, 'x.payload'));
    writeFileSync(join(cwd, 'site1/sno-config.yaml'), snoConfigText('payload: {file: ../x.payload}\n'));
    const { code, stderr } = await create('--from', 'mirror', '--out', 'x.payload', '--overwrite');
    expect([code, stderr]).toEqual([0, '']);
    expect(readFileSync(join(cwd, 'x.payload')).equals(first)).toBe(true);
  });

  const byDefault =
    'warning[payload/default-release]: the payload gets the default release, quay.io/openshift-release-dev/ocp-release:4.21.0-x86_64: sno-config.yaml has no releaseImage';

  it.each([
    { payload: '', manifest: undefined, message: `${byDefault}\n` },
    {
      payload: 'payload: {file: ../x.payload}\n',
      manifest: undefined,
      message: `${byDefault}, and the manifest of ../x.payload cannot be read\n`,
    },
    {
      payload: 'payload: {file: ../x.payload}\n',
      manifest: '{}',
      message: `${byDefault}, and the manifest of ../x.payload cannot be read\n`,
    },
  ])('names the default release for "$payload" with the manifest $manifest', async (given) => {
    const { cwd, create } = payloadPlace(release);
    writeStorage(join(cwd, 'mirror'), release);
    writeFileSync(join(cwd, 'site1/sno-config.yaml'), snoConfigText(`hostname: sno\n${given.payload}`));
    if (given.manifest !== undefined) writeFileSync(join(cwd, 'x.payload.json'), given.manifest);
    const { code, stderr } = await create('--from', 'mirror', '--out', 'x.payload');
    expect([code, stderr]).toEqual([1, expect.stringContaining('error[payload/missing-image]')]);
    expect(stderr).toContain(given.message);
    // Nothing was copied.
    expect([existsSync(join(cwd, 'x.payload.partial')), stderr.endsWith('; nothing was written\n')]).toEqual([
      false,
      true,
    ]);
    expect(stderr).toContain(
      'hint: set releaseImage and releaseVersion in sno-config.yaml for another release',
    );
  });

  it('needs mksquashfs', async () => {
    const { cwd } = payloadPlace(release);
    writeStorage(join(cwd, 'mirror'), release);
    const { code, stderr } = await snoInProcess(['create', 'payload', 'site1', '--from', 'mirror'], {
      cwd,
      variables: { PATH: scratchFolder() },
    });
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('error[payload/program]: mksquashfs is not installed'),
    ]);
  });
});

describe('payload.yaml', () => {
  it.each([
    ['payload/config', 'kind: Other\n', 'kind is "Other", expected PayloadConfig'],
    [
      'payload/config',
      'kind: PayloadConfig\nadditionalImages: [{name: catalog}]\n',
      'the image "catalog" is not a pull spec with its registry',
    ],
    [
      'payload/config',
      'kind: PayloadConfig\nadditionalImages: [{name: quay.io/a/b}]\n',
      'the image "quay.io/a/b" has neither a tag nor a digest',
    ],
    [
      'payload/config',
      'kind: PayloadConfig\nregistryImage: quay.io/a/b:1\n',
      'registryImage is not a pull spec by digest',
    ],
    [
      'config/unknown-field',
      'kind: PayloadConfig\nregistryImages: quay.io/a/b:1\n',
      'unknown field "registryImages"',
    ],
    ['config/missing-field', 'additionalImages: []\n', 'kind is missing'],
  ])('%s: %j is refused', async (problemCode, body, message) => {
    const { cwd, create } = payloadPlace({
      image: `quay.io/a/b@sha256:${'1'.repeat(64)}`,
      images: [],
      blobs: new Map(),
      specs: {},
    });
    writeFileSync(join(cwd, 'site1/payload.yaml'), `apiVersion: sno-install/v1alpha1\n${body}`);
    const { code, stderr } = await create('--from', 'site1');
    expect([code, /^error\[([^\]]+)\]/.exec(stderr)?.[1]]).toEqual([1, problemCode]);
    expect(stderr).toContain(message);
    const validated = await snoInProcess(['validate', 'site1'], { cwd });
    expect([validated.code, validated.stderr]).toEqual([1, expect.stringContaining(message)]);
  });

  it('with another name is reported by validate', async () => {
    const cwd = scratchFolder();
    writeFileSync(join(cwd, 'install-config.yaml'), minimalInstallConfig);
    writeFileSync(join(cwd, 'payload.yml'), 'apiVersion: sno-install/v1alpha1\n');
    const { code, stderr } = await snoInProcess(['validate', cwd], { cwd });
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(
        'error[config/file-name]: payload.yml is not read: the file is named payload.yaml',
      ),
    ]);
  });
});
