// Runtime configuration and labels of the container image.
import { user } from './layer.mjs';

/** Licences of the program with its bundled packages, of Node.js, of the C library and of GCC's libraries. The image contains the texts. */
const licences =
  'Apache-2.0 AND MIT AND ISC AND BSD-2-Clause AND BSD-3-Clause AND LGPL-3.0-or-later AND LGPL-2.1-or-later AND (GPL-3.0-or-later WITH GCC-exception-3.1)';

/** Source: github.com/opencontainers/image-spec, annotations.md */
export function labelsOf({ title, description, version, revision }) {
  const said = {
    title,
    description,
    version,
    licenses: licences,
    ...(revision === undefined ? {} : { revision }),
  };
  const labels = Object.entries(said).map(([name, value]) => [`org.opencontainers.image.${name}`, value]);
  return Object.fromEntries(labels.sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** The user is numeric, so that `runAsNonRoot` can check it. /tmp is writable with a read-only root file system. */
export function imageConfig(labels) {
  return {
    User: `${user.id}:${user.id}`,
    Env: ['PATH=/usr/bin'],
    Entrypoint: ['/usr/bin/sno-install'],
    Volumes: { '/tmp': {} },
    WorkingDir: '/work',
    Labels: labels,
  };
}
