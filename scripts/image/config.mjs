// What a container of the image is run with, and what the image says of itself.
import { user } from './layer.mjs';

/** Those of the program and what is bundled with it, of Node.js; of the C library and of GCC's libraries. The text of each is in the image. */
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

/** The user is named by number, so that a cluster sees that it is not root (`runAsNonRoot`). /tmp can be written to where the root cannot. */
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
