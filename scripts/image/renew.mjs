// Looks up the current Debian packages of the libraries. apt verifies the signatures of the package lists.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const mirror = 'http://deb.debian.org';
const release = 'trixie';
const names = ['libatomic1', 'libc6', 'libgcc-s1', 'libstdc++6'];
/** Packages of which the image contains only texts: the copyright of GCC's three libraries; common licences and the Debian version. */
const ofTexts = ['gcc-14-base', 'base-files'];
const architectures = ['amd64', 'arm64'];
const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** New contents of libraries.json. Needs apt and the keys of Debian's archive. */
export function currentLibraries() {
  const root = mkdtempSync(join(tmpdir(), 'sno-install-libraries-'));
  try {
    const options = ownPlaces(root);
    run('apt-get', [...options, 'update', '--quiet']);
    const packages = architectures.map((architecture) => [architecture, packagesOf(architecture, options)]);
    return { release: `debian 13 (${release})`, asOf: dateOf(root), packages: Object.fromEntries(packages) };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** apt options that use nothing of this system but the keys, and change nothing on it. */
function ownPlaces(root) {
  for (const folder of ['lists/partial', 'cache/archives/partial', 'none'])
    mkdirSync(join(root, folder), { recursive: true });
  const suites = [`debian ${release}`, `debian-security ${release}-security`];
  const sources = suites.map((suite) => `deb [signed-by=${keyring}] ${mirror}/${suite} main\n`);
  writeFileSync(join(root, 'sources.list'), sources.join(''));
  writeFileSync(join(root, 'status'), '');
  const places = {
    'Dir::State': root,
    'Dir::State::lists': join(root, 'lists'),
    'Dir::State::status': join(root, 'status'),
    'Dir::Cache': join(root, 'cache'),
    'Dir::Etc::sourcelist': join(root, 'sources.list'),
    'Dir::Etc::sourceparts': join(root, 'none'),
    'Dir::Etc::preferencesparts': join(root, 'none'),
    'APT::Architecture': architectures[0],
    'APT::Architectures': architectures.join(','),
  };
  return Object.entries(places).map(([name, value]) => `--option=${name}=${value}`);
}

function packagesOf(architecture, options) {
  const asked = [...names, ...ofTexts].map((name) => `${name}:${architecture}`);
  const lines = run('apt-get', [...options, 'download', '--print-uris', ...asked])
    .trim()
    .split('\n');
  return lines.map(named).sort((left, right) => (left.name < right.name ? -1 : 1));
}

/** Parses a line such as `'http://deb.debian.org/debian/pool/…' libc6_2.41-12_amd64.deb 2846580 SHA256:967a…`. Source: apt-get(8), --print-uris */
function named(line) {
  const [uri = '', file = '', , sum = ''] = line.split(' ');
  const [name, version] = file.split('_');
  if (!uri.startsWith(`'${mirror}/`) || !sum.startsWith('SHA256:'))
    throw new Error(`unexpected output of apt-get: ${line}`);
  return { name, version, path: uri.slice(mirror.length + 2, -1), sha256: sum.slice('SHA256:'.length) };
}

/** Date of the package lists, in the format of Debian's snapshot archive. Source: snapshot.debian.org */
function dateOf(root) {
  const lists = join(root, 'lists');
  const dates = readdirSync(lists)
    .filter((name) => name.endsWith('InRelease'))
    .map((name) => /^Date: (.+)$/m.exec(readFileSync(join(lists, name), 'utf8'))?.[1])
    .map((date) => new Date(date).toISOString());
  return dates
    .sort()
    .at(-1)
    .replace(/[-:]|\.\d+/g, '');
}

function run(program, args) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} failed: ${stderr ?? ''}`, { cause: error });
  return stdout;
}
