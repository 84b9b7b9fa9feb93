import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { processCredentials } from '../../../src/remote/object-store/credential-process.js';
import { openStore, type ObjectStore } from '../../../src/remote/object-store/object-store.js';
import { renewedCredentials } from '../../../src/remote/object-store/renewed-credentials.js';
import type { StoreCredentials } from '../../../src/remote/object-store/store-credentials.js';
import { StoreFault } from '../../../src/remote/object-store/store-fault.js';
import { valuesOfXml } from '../../../src/remote/object-store/sts-response.js';
import { outputOfProgram } from '../../../src/run/effects/run-program.js';
import { listeningPort } from '../../support/ports.js';
import { scratchFolder } from '../../support/scratch.js';

const start = Date.parse('2026-11-02T03:04:05Z');
const second = 1000;

/** The response of MinIO. Source: minio cmd/sts-datatypes.go */
function response(key: string, expiration: string): string {
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">' +
    '<AssumeRoleWithWebIdentityResult><AssumedRoleUser><Arn></Arn><AssumeRoleId></AssumeRoleId></AssumedRoleUser>' +
    `<Credentials><AccessKeyId>${key}</AccessKeyId><SecretAccessKey>secret+/of=${key}&#43;</SecretAccessKey>` +
    `<SessionToken>token&amp;of-${key}</SessionToken><Expiration>${expiration}</Expiration></Credentials>` +
    '<SubjectFromWebIdentityToken>subject</SubjectFromWebIdentityToken></AssumeRoleWithWebIdentityResult>' +
    '<ResponseMetadata><RequestId>1</RequestId></ResponseMetadata></AssumeRoleWithWebIdentityResponse>'
  );
}

function refusal(code: string): string {
  return `<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Type></Type><Code>${code}</Code><Message>not shown</Message></Error></ErrorResponse>`;
}

interface Served {
  /** Forms that STS received. */
  readonly forms: URLSearchParams[];
  /** Session tokens of requests for objects. */
  readonly used: string[];
  readonly store: ObjectStore;
  readonly tokenFile: string;
  readonly passTime: (ms: number) => void;
}

/** An S3 server with STS at the same address, and a client with web identity. */
async function served({
  sts,
  objects = (_, answer) => answer.writeHead(200, { etag: '"1"' }).end('contents'),
}: {
  readonly sts: (answer: ServerResponse, call: number) => void;
  readonly objects?: (request: IncomingMessage, answer: ServerResponse) => void;
}): Promise<Served> {
  const forms: URLSearchParams[] = [];
  const used: string[] = [];
  const server = createServer((request, answer) => {
    let body = '';
    request.on('data', (text: Buffer) => (body += text.toString()));
    request.on('end', () => {
      if (request.method === 'POST') sts(answer, forms.push(new URLSearchParams(body)));
      else {
        used.push(String(request.headers['x-amz-security-token']));
        objects(request, answer);
      }
    });
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const port = await listeningPort(server);
  const tokenFile = join(scratchFolder(), 'token');
  writeFileSync(tokenFile, 'header.first.signature\n');
  let now = start;
  let elapsed = 0;
  const url = `http://127.0.0.1:${port}`;
  const store = openStore({
    address: { bucketUrl: `${url}/sites`, stsUrl: `${url}/`, region: 'us-east-1', prefix: 'spring' },
    credentials: { kind: 'web-identity', tokenFile, role: 'arn:role', session: 'session' },
    run: () => Promise.reject(new Error('nothing is run')),
    patience: {
      patienceMs: 60_000,
      end: new AbortController().signal,
      randomNumber: () => 0,
      elapsedMs: () => (elapsed += 10_000),
    },
    now: () => new Date(now),
  });
  onTestFinished(store.close);
  return { forms, used, store, tokenFile, passTime: (ms) => (now += ms) };
}

const hour = 3600 * second;
const at = (ms: number): string => new Date(start + ms).toISOString();

test('exchanges the token for credentials, again before they expire, with the token that is then in the file', async () => {
  const { forms, used, store, tokenFile, passTime } = await served({
    sts: (answer, call) => answer.end(response(`key${call}`, at(call * hour))),
  });
  await Promise.all([store.read('a'), store.read('b'), store.read('c')]);
  expect(forms.map((form) => Object.fromEntries(form))).toEqual([
    {
      Action: 'AssumeRoleWithWebIdentity',
      Version: '2011-06-15',
      RoleArn: 'arn:role',
      RoleSessionName: 'session',
      WebIdentityToken: 'header.first.signature',
    },
  ]);
  writeFileSync(tokenFile, 'header.second.signature');
  passTime(54 * 60 * second);
  await store.read('a');
  passTime(2 * 60 * second);
  await store.read('a');
  expect(forms.map((form) => form.get('WebIdentityToken'))).toEqual([
    'header.first.signature',
    'header.second.signature',
  ]);
  expect(used).toEqual([1, 1, 1, 1, 2].map((key) => `token&of-key${key}`));
});

test.each(['ExpiredToken', 'InvalidTokenId', 'InvalidAccessKeyId'])(
  'credentials that the store calls %s are replaced once, whatever the clock says',
  async (code) => {
    const { forms, used, store } = await served({
      sts: (answer, call) => answer.end(response(`key${call}`, at(call * hour))),
      objects: (request, answer) => {
        const isOld = request.headers['x-amz-security-token'] === 'token&of-key1';
        answer.writeHead(isOld ? 403 : 200, { etag: '"1"' }).end(isOld ? refusal(code) : 'contents');
      },
    });
    expect(await store.read('a')).toMatchObject({ tag: '"1"' });
    expect([forms.length, used]).toEqual([2, ['token&of-key1', 'token&of-key2']]);
  },
);

test('sends two requests to a store that rejects all credentials', async () => {
  const { forms, store } = await served({
    sts: (answer, call) => answer.end(response(`key${call}`, at(hour))),
    objects: (_, answer) => answer.writeHead(403).end(refusal('ExpiredToken')),
  });
  await expect(store.read('a')).rejects.toMatchObject({
    kind: 'refused',
    message: 'the session token has expired',
  });
  expect(forms).toHaveLength(2);
});

test('an end in the past, by a wrong clock, does not renew with each request', async () => {
  const { forms, store } = await served({ sts: (answer) => answer.end(response('key', at(-hour))) });
  for (const name of ['a', 'b', 'c']) await store.read(name);
  expect(forms).toHaveLength(1);
});

test.each([
  [400, refusal('ExpiredToken'), { kind: 'credentials', message: 'the web identity token has expired' }],
  [
    403,
    refusal('AccessDenied'),
    { kind: 'credentials', message: 'STS does not allow this role for the web identity token' },
  ],
  [400, refusal('MissingParameter'), { kind: 'credentials', message: 'STS needs a role: set AWS_ROLE_ARN' }],
  [404, '<html>', { kind: 'credentials', message: 'STS: HTTP 404' }],
  [403, refusal('<script>'), { kind: 'credentials', message: 'STS: HTTP 403' }],
  [
    200,
    refusal('None'),
    { kind: 'credentials', message: 'STS sends no valid credentials; check AWS_ENDPOINT_URL_STS' },
  ],
  [200, response('key', 'tomorrow'), { kind: 'credentials' }],
  [200, response('key', at(hour)).slice(0, -20), { kind: 'credentials' }],
  [500, refusal('InternalError'), { kind: 'unreachable', message: 'STS: HTTP 500 (InternalError)' }],
  [503, refusal('STSIAMNotInitialized'), { kind: 'unreachable' }],
])('STS that answers %i %s', async (status, body, want) => {
  const { used, store } = await served({ sts: (answer) => answer.writeHead(status).end(body) });
  await expect(store.read('a')).rejects.toMatchObject(want);
  expect(used).toEqual([]);
});

test('repeats the request if STS is not ready or truncates its answer', async () => {
  const { forms, store } = await served({
    sts: (answer, call) => {
      if (call === 1) answer.writeHead(503).end(refusal('STSNotInitialized'));
      else if (call === 2) {
        answer.writeHead(200, { 'content-length': '10000' }).write('<?xml');
        setImmediate(() => answer.destroy());
      } else answer.end(response('key', at(hour)));
    },
  });
  expect(await store.read('a')).toMatchObject({ tag: '"1"' });
  expect(forms).toHaveLength(3);
});

test.each([
  ['two tokens\nhere', 'AWS_WEB_IDENTITY_TOKEN_FILE does not contain one token'],
  ['', 'AWS_WEB_IDENTITY_TOKEN_FILE does not contain one token'],
])('a token file with %j is a problem', async (text, message) => {
  const { forms, store, tokenFile } = await served({ sts: (answer) => answer.end() });
  writeFileSync(tokenFile, text);
  await expect(store.read('a')).rejects.toMatchObject({ kind: 'credentials', message });
  expect(forms).toEqual([]);
});

const names = ['AccessKeyId', 'SecretAccessKey', 'SessionToken', 'Expiration'];

test('reads the values of a response', () => {
  expect(valuesOfXml(response('key', at(hour)), names)).toEqual([
    'key',
    'secret+/of=key+',
    'token&of-key',
    '2026-11-02T04:04:05.000Z',
  ]);
});

test.each([
  [
    'a document type with entities',
    (xml: string) =>
      xml.replace('?>', '?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>').replace('secret', '&b;'),
  ],
  ['an unknown entity', (xml: string) => xml.replace('secret', '&b;')],
  ['a prototype name as an entity', (xml: string) => xml.replace('secret', '&constructor;')],
  ['a bare ampersand', (xml: string) => xml.replace('secret', '&')],
  ['a control character', (xml: string) => xml.replace('secret', '&#13;&#10;x-other: a')],
  ['a character beyond ASCII', (xml: string) => xml.replace('secret', '&#x1F600;')],
  ['CDATA', (xml: string) => xml.replace('secret', '<![CDATA[secret]]>')],
  ['a comment', (xml: string) => xml.replace('<Credentials>', '<!-- --><Credentials>')],
  ['two keys', (xml: string) => xml.replace('<SessionToken>', '<AccessKeyId>b</AccessKeyId><SessionToken>')],
  [
    'two credentials',
    (xml: string) => xml.replace('</Credentials>', '</Credentials><Credentials></Credentials>'),
  ],
  ['an empty key', (xml: string) => xml.replace('>key<', '><')],
  ['another root', (xml: string) => xml.replaceAll('WebIdentityResponse', 'Response')],
  ['a second root', (xml: string) => xml + xml],
])('rejects %s', (_, change) => {
  expect(valuesOfXml(change(response('key', at(hour))), names)).toBeUndefined();
});

test('earlier credentials are used until their end if they cannot be renewed', async () => {
  let now = start;
  let isDown = false;
  let calls = 0;
  const load = (): Promise<StoreCredentials> => {
    calls += 1;
    if (isDown) return Promise.reject(new StoreFault('unreachable', 'down', { mayPass: true }));
    return Promise.resolve({
      accessKeyId: `key${calls}`,
      secretAccessKey: 's',
      sessionToken: 't',
      expires: new Date(now + hour),
    });
  };
  const provider = renewedCredentials(load, () => new Date(now));
  expect((await provider.current()).accessKeyId).toBe('key1');
  isDown = true;
  now += 58 * 60 * second;
  for (let count = 0; count < 5; count += 1) expect((await provider.current()).accessKeyId).toBe('key1');
  expect(calls).toBe(2);
  now += 3 * 60 * second;
  await expect(provider.current()).rejects.toMatchObject({ message: 'down' });
  isDown = false;
  expect((await provider.current()).accessKeyId).toBe('key4');
});

const printed = {
  Version: 1,
  AccessKeyId: 'a',
  SecretAccessKey: 'b',
  SessionToken: 'c',
  Expiration: at(hour),
};

test('a credential_process is run without a shell', async () => {
  const printing = `${process.execPath} -e 'console.log(process.argv[1])' '${JSON.stringify(printed)}'`;
  expect(await processCredentials(printing, outputOfProgram)).toEqual({
    accessKeyId: 'a',
    secretAccessKey: 'b',
    sessionToken: 'c',
    expires: new Date(start + hour),
  });
});

test.each([
  ['sh -c "exit 3"', 'ended with 3'],
  ['no-such-program-of-this-test', 'names a program that does not exist'],
  ['echo secret-word', 'does not print credentials as JSON of version 1'],
  [`echo '${JSON.stringify({ ...printed, Version: 2 })}'`, 'does not print credentials as JSON of version 1'],
  [
    `echo '${JSON.stringify({ ...printed, SessionToken: 'a b' })}'`,
    'does not print credentials as JSON of version 1',
  ],
  [
    `echo '${JSON.stringify({ ...printed, Expiration: 'soon' })}'`,
    'does not print credentials as JSON of version 1',
  ],
  ['head -c 300000 /dev/zero', 'prints more than 262144 bytes'],
])('a credential_process %s is a problem without its output', async (command, message) => {
  const failed = processCredentials(command, outputOfProgram);
  await expect(failed).rejects.toMatchObject({
    kind: 'credentials',
    message: `credential_process of the profile ${message}`,
  });
});

test('a credential_process with shell syntax is not run', async () => {
  const run = (): Promise<never> => Promise.reject(new Error('nothing is run'));
  await expect(processCredentials('tool | jq .', run)).rejects.toMatchObject({ kind: 'credentials' });
});
