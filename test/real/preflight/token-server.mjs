// A registry token server: `node token-server.mjs ADDRESS PORT FOLDER`. It returns a token for the requested scope to clients with the
// user and password of FOLDER/user. FOLDER/token.key signs tokens; FOLDER/server.crt and server.key are for TLS.
import { X509Certificate, createSign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';

const [address, port, folder] = process.argv.slice(2);
const read = (name) => readFileSync(join(folder, name), 'utf8');
const wanted = `Basic ${Buffer.from(read('user').trim()).toString('base64')}`;
const chain = [new X509Certificate(read('token.crt')).raw.toString('base64')];

function part(value) {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function tokenFor(scope, service) {
  const [type, name, actions] = scope.split(':');
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: 'tokens.example.com',
    sub: 'user',
    aud: service,
    exp: now + 300,
    nbf: now - 10,
    iat: now,
    jti: String(now),
    access: [{ type, name, actions: actions.split(',') }],
  };
  const text = `${part({ typ: 'JWT', alg: 'RS256', x5c: chain })}.${part(claims)}`;
  return `${text}.${createSign('sha256').update(text).sign(read('token.key'), 'base64url')}`;
}

createServer({ cert: read('server.crt'), key: read('server.key') }, (request, response) => {
  const { searchParams } = new URL(request.url, 'https://tokens');
  if (request.headers.authorization !== wanted) {
    response.writeHead(401).end('{}');
    return;
  }
  const token = tokenFor(searchParams.get('scope'), searchParams.get('service'));
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ token }));
}).listen(Number(port), address);
