// Contents of the image other than libraries.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { user } from './layer.mjs';

/** Files that the C library and users expect of a system, and writable folders. The image has no shell and no other programs. */
export function systemEntries() {
  const { release } = JSON.parse(readFileSync(join(import.meta.dirname, 'libraries.json'), 'utf8'));
  const [id, version] = release.split(' ');
  const text = (path, ...lines) => ({
    path,
    mode: 0o644,
    contents: Buffer.from(lines.map((line) => `${line}\n`).join('')),
  });
  return [
    { path: 'lib', link: 'usr/lib' },
    { path: 'lib64', link: 'usr/lib64' },
    { path: 'usr/lib64', mode: 0o755 },
    text('etc/group', 'root:x:0:', `${user.name}:x:${user.id}:`),
    text('etc/nsswitch.conf', 'hosts: files dns'),
    // Tells vulnerability scanners which distribution the packages belong to. Source: os-release(5)
    text(
      'etc/os-release',
      `PRETTY_NAME="sno-install, on libraries of ${release}"`,
      `ID=${id}`,
      `VERSION_ID="${version}"`,
    ),
    text(
      'etc/passwd',
      'root:x:0:0:root:/root:/sbin/nologin',
      `${user.name}:x:${user.id}:${user.id}::${user.home}:/sbin/nologin`,
    ),
    { path: user.home.slice(1), mode: 0o700, isUsers: true },
    { path: 'tmp', mode: 0o1777 },
    { path: 'work', mode: 0o755, isUsers: true },
  ];
}

/** The program, and the licences of everything in it. */
export function programEntries(program, licences) {
  const ownLicence = readFileSync('LICENSE');
  return [
    { path: 'usr/bin/sno-install', mode: 0o755, contents: program },
    { path: 'usr/share/doc/sno-install/LICENSE', mode: 0o644, contents: ownLicence },
    { path: 'usr/share/doc/sno-install/LICENSES.txt', mode: 0o644, contents: licences },
  ];
}
