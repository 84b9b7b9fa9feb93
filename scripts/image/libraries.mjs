// The shared libraries that Node.js needs, from the Debian packages in libraries.json, verified by hash.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { unpackTar } from 'modern-tar';

import { madeOnce } from '../made-once.mjs';

const lock = join(import.meta.dirname, 'libraries.json');
/** The first source keeps a package version only until the next one; the second keeps every version. */
const sources = (path, asOf) => [
  `https://deb.debian.org/${path}`,
  `https://snapshot.debian.org/archive/${path.replace('/', `/${asOf}/`)}`,
];
/** Libraries directly in usr/lib, not in a subfolder of the C library. */
const isNeeded = (path) =>
  /^usr\/lib(?:64|\/[^/]*-linux-gnu)?\/(?:ld-linux-[\w-]+|lib(?:atomic|c|dl|gcc_s|m|pthread|stdc\+\+))\.so\.[\d.]+$/.test(
    path,
  );
/** Copyright files, the licences they refer to, and Debian's point release for vulnerability scanners. */
const isText = (path) =>
  /^usr\/share\/doc\/[^/]+(?:\/copyright)?$|^usr\/share\/common-licenses\/|^etc\/debian_version$/.test(path);

/**
 * Layer entries: libraries, their copyright files, and Debian's package metadata in the place where vulnerability scanners look for
 * it. `architecture` is amd64 or arm64, the names of both Debian and OCI.
 */
export async function libraryEntries(architecture) {
  const text = readFileSync(lock);
  const { asOf, packages } = JSON.parse(text);
  const key = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const folder = madeOnce(`image-libraries-${architecture}-${key}`, (making) => {
    for (const named of packages[architecture]) fetchPackage(named, asOf, join(making, `${named.name}.deb`));
  });
  const entries = [];
  for (const { name } of packages[architecture])
    entries.push(...(await entriesOf(join(folder, `${name}.deb`), name)));
  return entries;
}

function fetchPackage({ path, sha256 }, asOf, file) {
  for (const url of sources(path, asOf)) {
    const { status } = spawnSync('curl', [...patient, '--output', file, url], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (status === 0 && createHash('sha256').update(readFileSync(file)).digest('hex') === sha256) return;
  }
  throw new Error(
    `${path} could not be downloaded or differs from the locked hash: check that deb.debian.org is reachable; \`node scripts/image.mjs --renew\` locks the current packages`,
  );
}

const patient = ['--fail', '--location', '--silent', '--show-error', '--retry', '3', '--max-time', '300'];

async function entriesOf(file, name) {
  const contents = await unpackTar(output('dpkg-deb', ['--fsys-tarfile', file]));
  const kept = contents
    .map(({ header, data }) => ({ ...header, path: header.name.replace(/^\.\//, ''), data }))
    .filter(({ path, type }) => type !== 'directory' && (isNeeded(path) || isText(path)));
  const control = { path: `var/lib/dpkg/status.d/${name}`, data: output('dpkg-deb', ['--field', file]) };
  return [control, ...kept].map(({ path, type, mode, linkname, data }) =>
    type === 'symlink' ? { path, link: linkname } : { path, mode: mode ?? 0o644, contents: data },
  );
}

function output(program, args) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(`${program} failed: ${stderr ?? ''}`, { cause: error });
  return stdout;
}
