// Loaded before the command, in each of its threads: notes what is asked of Node's own libraries that takes long and cannot be
// left out, as lines of the file RECORDED_WORK. What is asked twice is noted twice.
import crypto from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import zlib from 'node:zlib';

const file = process.env.RECORDED_WORK;

const sign = crypto.sign;
crypto.sign = (hash, bytes, key, ...rest) => {
  const { asymmetricKeyType: kind, asymmetricKeyDetails: details } = key;
  note({ does: 'sign', hash, bytes: bytes.length, kind, curve: details?.namedCurve, of: sha256(bytes) });
  return sign(hash, bytes, key, ...rest);
};
for (const does of ['deflateRawSync', 'gzipSync']) {
  const pack = zlib[does];
  zlib[does] = (bytes, options) => {
    note({ does, options, contents: Buffer.from(bytes).toString('base64'), of: sha256(bytes) });
    return pack(bytes, options);
  };
}
syncBuiltinESMExports();

function note(line) {
  appendFileSync(file, `${JSON.stringify(line)}\n`);
}

function sha256(bytes) {
  return crypto.createHash('sha256').update(bytes).digest('hex');
}
