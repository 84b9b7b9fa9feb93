// node bench/bare-server.mjs PORT BYTES [FOLDER]: answers every request with so many bytes from memory; over TLS with a folder that has
// tls.key and tls.crt. Says a line when it listens.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { join } from 'node:path';

const [port, bytes, folder] = process.argv.slice(2);
const body = randomBytes(Number(bytes));
const headers = {
  'content-type': 'application/octet-stream',
  'content-length': body.length,
  'content-range': `bytes 0-${body.length - 1}/*`,
};
const answer = (_, response) => response.writeHead(206, headers).end(body);
const read = (name) => readFileSync(join(folder, name));
const server =
  folder === undefined
    ? createServer(answer)
    : createTlsServer({ key: read('tls.key'), cert: read('tls.crt') }, answer);
server.listen(Number(port), '127.0.0.1', () => console.log('listens'));
