import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { releaseFault } from '../../src/cli/media/download-source.js';
import { sha256 } from '../../src/formats/sha256.js';
import { bootImagesYaml, liveIsoBytes, streamJson, streamOf } from '../media/support/stream-json.js';
import { snoInProcess, type CommandOutput } from '../support/in-process.js';
import { listeningPort } from '../support/ports.js';
import { snoConfigText } from '../support/minimal-config.js';
import { scratchFolder } from '../support/scratch.js';

const hash = sha256(liveIsoBytes);

/** A server that has the live ISO below every path. */
async function mirror(): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-length': liveIsoBytes.length }).end(liveIsoBytes);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${await listeningPort(server)}/rhcos-9.6.20250523-0-live-iso.x86_64.iso`;
}

const unreachable = 'http://127.0.0.1:1/live.iso';

interface Place {
  readonly cwd: string;
  readonly run: (...args: readonly string[]) => Promise<CommandOutput>;
}

/** An empty folder with a stream file that names this location. */
function place(location: string, text = streamJson({ location })): Place {
  const cwd = scratchFolder();
  writeFileSync(join(cwd, 'stream.json'), text);
  const variables = { XDG_CACHE_HOME: join(cwd, 'cache') };
  return { cwd, run: (...args) => snoInProcess(['media', 'download', ...args], { cwd, variables }) };
}

test('a live ISO goes into the cache folder, and the next step is printed', async () => {
  const location = await mirror();
  const { cwd, run } = place(location);
  const path = join(cwd, 'cache/sno-install/media/rhcos-9.6.20250523-0-live-iso.x86_64.iso');
  const want = [
    'CoreOS 9.6.20250523-0',
    `URL      ${location}`,
    `Size     ${liveIsoBytes.length} bytes`,
    `SHA-256  ${hash}`,
    `File     ${path}, verified`,
    '',
    `Next: sno-install create iso . --iso ${path}`,
    '',
  ].join('\n');
  const first = await run('--stream', 'stream.json');
  expect([first.code, first.stdout]).toEqual([0, want]);
  expect(readFileSync(path)).toEqual(liveIsoBytes);
  expect(await run('--stream', 'stream.json')).toEqual({ code: 0, stdout: want, stderr: '' });
});

test('a live ISO goes into a folder that exists', async () => {
  const { cwd, run } = place(await mirror());
  mkdirSync(join(cwd, 'images'));
  expect((await run('--stream', 'stream.json', '--out', 'images')).code).toBe(0);
  expect(readdirSync(join(cwd, 'images'))).toEqual(['rhcos-9.6.20250523-0-live-iso.x86_64.iso']);
});

test('the files of a network boot go into a folder', async () => {
  const { cwd, run } = place(await mirror());
  const { code, stdout } = await run(
    '--stream',
    'stream.json',
    '--format',
    'pxe',
    '--out',
    'www',
    '-o',
    'json',
  );
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    architecture: 'x86_64',
    build: '9.6.20250523-0',
    images: ['kernel', 'initramfs.img', 'rootfs.img'].map((name) => ({ name, path: join(cwd, 'www', name) })),
  });
  expect(readdirSync(join(cwd, 'www')).toSorted()).toEqual(['initramfs.img', 'kernel', 'rootfs.img']);
});

test('--print downloads nothing', async () => {
  const { cwd, run } = place(await mirror());
  const { code, stdout } = await run('--stream', 'stream.json', '--print');
  expect([code, stdout.split('\n').slice(2, 4)]).toEqual([
    0,
    [`Size     ${liveIsoBytes.length} bytes`, `SHA-256  ${hash}`],
  ]);
  expect(readdirSync(cwd)).toEqual(['stream.json']);
});

test('without a network, a download prints the URL, the SHA-256 and the check by hand', async () => {
  const { cwd, run } = place(unreachable);
  const { code, stdout, stderr } = await run('--stream', 'stream.json', '--out', 'live.iso');
  expect([code, stdout]).toEqual([
    3,
    `CoreOS 9.6.20250523-0\nURL      ${unreachable}\nSize     unknown\nSHA-256  ${hash}\n`,
  ]);
  expect(stderr).toContain(`error[media/download]: cannot download ${unreachable}: connection refused`);
  expect(stderr).toContain(`check it: echo "${hash}  live.iso" | sha256sum --check`);
  expect(readdirSync(cwd)).toEqual(['stream.json']);
});

test('without a network, --print prints the URL and the SHA-256', async () => {
  expect(await place(unreachable).run('--stream', 'stream.json', '--print')).toEqual({
    code: 0,
    stdout: `CoreOS 9.6.20250523-0\nURL      ${unreachable}\nSize     unknown\nSHA-256  ${hash}\n`,
    stderr: '',
  });
});

test.each([
  {
    build: '9.6.20250523-0',
    version: '4.16',
    want: ['s names the live image 9.6.20250523-0, of OpenShift 4.19 or later, but the release is 4.16'],
  },
  {
    build: '416.94.202406251923-0',
    version: '4.20',
    want: ['s names the live image 416.94.202406251923-0, of OpenShift 4.16, but the release is 4.20'],
  },
  { build: '416.94.202406251923-0', version: '4.16', want: [] },
  { build: '9.6.20250523-0', version: '4.20', want: [] },
  { build: '416.94.202406251923-0', version: undefined, want: [] },
])('metadata of $build for release $version', ({ build, version, want }) => {
  expect(releaseFault(build, 's', version).map(({ message }) => message)).toEqual(want);
});

test('without a network and metadata, the hint names both other sources', async () => {
  const cwd = scratchFolder();
  const { code, stderr } = await snoInProcess(['media', 'download', '--release', '4.22', '--arch', 'arm64'], {
    cwd,
    variables: { XDG_CACHE_HOME: cwd, HTTPS_PROXY: 'http://127.0.0.1:1' },
  });
  expect(code).toBe(3);
  expect(stderr).toContain(
    'cannot read the stream metadata of quay.io/openshift-release-dev/ocp-release:4.22.0-aarch64: quay.io/openshift-release-dev/ocp-release: proxy failure: connection refused',
  );
  expect(stderr).toContain('add --stream stream.json');
  expect(stderr).toContain(
    'https://mirror.openshift.com/pub/openshift-v4/aarch64/dependencies/rhcos/4.22/latest/',
  );
});

test('metadata that an earlier run has read from the release image is used without a network', async () => {
  const cwd = scratchFolder();
  const image = 'quay.io/openshift-release-dev/ocp-release:4.22.0-x86_64';
  const media = join(cwd, 'sno-install/media');
  mkdirSync(media, { recursive: true });
  const text = bootImagesYaml(
    { 'rhel-9': streamOf({ location: unreachable }) },
    streamOf({ location: unreachable }),
  );
  writeFileSync(join(media, `stream-${sha256(image).slice(0, 16)}.yaml`), text, { mode: 0o600 });
  const { code, stdout } = await snoInProcess(['media', 'download', '--release', '4.22'], {
    cwd,
    variables: { XDG_CACHE_HOME: cwd, HTTPS_PROXY: 'http://127.0.0.1:1' },
  });
  expect([code, stdout.split('\n')[1]]).toEqual([3, `URL      ${unreachable}`]);
});

test.each<{ name: string; args: readonly string[]; build?: string; want: readonly [number, string] }>([
  {
    name: 'an unknown release',
    args: ['--release', '4.99'],
    want: [2, '--release is "4.99", expected a release from 4.14 to'],
  },
  {
    name: 'a word as release',
    args: ['--release', 'stable'],
    want: [2, '--release is "stable", expected a release from 4.14 to'],
  },
  {
    name: 'an unknown architecture',
    args: ['--arch', 'mips'],
    want: [2, 'Allowed choices are x86_64, aarch64, ppc64le, s390x'],
  },
  {
    name: 'an architecture that is not published',
    args: ['--arch', 'aarch64'],
    want: [1, 'stream.json has no live ISO for aarch64'],
  },
  {
    name: '--release beside --stream',
    args: ['--release', '4.20'],
    want: [2, '--release and --stream cannot be combined'],
  },
])('$name is refused', async ({ args, build, want: [exit, message] }) => {
  const { cwd, run } = place(
    '',
    streamJson({ location: unreachable, ...(build !== undefined && { build }) }),
  );
  const { code, stdout, stderr } = await run('--stream', 'stream.json', '--out', 'live.iso', ...args);
  expect([code, stdout]).toEqual([exit, '']);
  expect(stderr).toContain(message);
  expect(existsSync(join(cwd, 'live.iso'))).toBe(false);
});

test('a configuration supplies release and architecture; one with errors is named', async () => {
  const { cwd, run } = place(
    unreachable,
    streamJson({ location: unreachable, build: '416.94.202406251923-0' }),
  );
  copyFileSync('fixtures/configs/minimal/install-config.yaml', join(cwd, 'install-config.yaml'));
  expect((await run('--stream', 'stream.json')).stderr).toContain('but the release is 4.21');
  copyFileSync('fixtures/readme/mistakes.yaml', join(cwd, 'install-config.yaml'));
  expect((await run('--stream', 'stream.json', '--print')).stderr).toContain(
    'warning[media/config-unused]: install-config.yaml has errors: its pull secret, proxy and authorities are not used',
  );
});

test.each([
  { name: 'is missing', args: [], release: '4.21' },
  { name: 'does not exist', args: ['--iso', 'live.iso'], release: '4.21' },
  {
    name: 'of the configuration does not exist',
    args: ['--iso', 'live.iso'],
    sno: snoConfigText('releaseImage: quay.io/openshift-release-dev/ocp-release:4.18.3-x86_64\n'),
    release: '4.18',
  },
])('create iso names the command if the live ISO $name', async ({ args, sno, release }) => {
  const cwd = scratchFolder();
  if (sno !== undefined) {
    copyFileSync('fixtures/configs/minimal/install-config.yaml', join(cwd, 'install-config.yaml'));
    writeFileSync(join(cwd, 'sno-config.yaml'), sno);
  }
  const { stderr } = await snoInProcess(['create', 'iso', ...args], { cwd });
  expect(stderr).toContain(
    `= hint: download the live ISO with \`sno-install media download --release ${release} --out FILE\``,
  );
});
