// A stub of Butane for the document of these tests: local files become data URLs, compressed if that is shorter.
// Used if the real program is missing. It supports only the keys that the document uses.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const [folder, input] = process.argv.slice(2);
const { ignition, storage, systemd } = JSON.parse(readFileSync(input, 'utf8'));

const resource = ({ local }) => {
  const bytes = readFileSync(join(folder, local));
  const zipped = gzipSync(bytes);
  return zipped.length + 10 < bytes.length
    ? { source: `data:;base64,${zipped.toString('base64')}`, compression: 'gzip' }
    : { source: `data:;base64,${bytes.toString('base64')}` };
};

process.stdout.write(
  JSON.stringify({
    ignition: { config: { merge: ignition.config.merge.map(resource) }, version: '3.1.0' },
    storage: {
      directories: storage.directories,
      files: storage.files.map(({ contents, ...file }) => ({ ...file, contents: resource(contents) })),
    },
    systemd,
  }),
);
