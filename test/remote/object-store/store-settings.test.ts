import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { storeAddress } from '../../../src/remote/object-store/store-address.js';
import { environmentProxy } from '../../../src/remote/http/proxy.js';
import { credentialSource, profileKeys } from '../../../src/remote/object-store/store-credentials.js';
import { scratchFolder } from '../../support/scratch.js';

describe('the address of a store', () => {
  test.each([
    ['s3://sites', {}, { bucketUrl: 'https://s3.us-east-1.amazonaws.com/sites', prefix: '' }],
    [
      's3://sites/',
      { AWS_REGION: 'eu-central-1' },
      { bucketUrl: 'https://s3.eu-central-1.amazonaws.com/sites' },
    ],
    [
      's3://sites/a/b-2/',
      { AWS_ENDPOINT_URL: 'http://[::1]:9000/', AWS_DEFAULT_REGION: 'x' },
      { bucketUrl: 'http://[::1]:9000/sites', region: 'x', prefix: 'a/b-2' },
    ],
    [
      's3://sites/a',
      { AWS_ENDPOINT_URL: 'http://a.example', AWS_ENDPOINT_URL_S3: 'https://s3.example/gateway' },
      { bucketUrl: 'https://s3.example/gateway/sites' },
    ],
  ])('%s with %j', (store, variables, want) => {
    expect(storeAddress(store, variables)).toMatchObject({ ok: true, value: want });
  });

  test.each([
    ['sites', {}],
    ['https://s3.example/sites', {}],
    ['s3://Sites', {}],
    ['s3://user:password@sites/a', {}],
    ['s3://sites/../other', {}],
    ['s3://sites/a//b', {}],
    ['s3://sites/a?x=1', {}],
    ['s3://sites/AGE-SECRET-KEY-1PUE2Y5Z34QG0WREAZ7JXC8MW', {}],
    ['s3://sites', { AWS_ENDPOINT_URL: 'https://user:word@s3.example' }],
    ['s3://sites', { AWS_ENDPOINT_URL: 'https://s3.example?token=word' }],
    ['s3://sites', { AWS_ENDPOINT_URL: 's3.example' }],
    [
      's3://sites',
      { AWS_ENDPOINT_URL: 'http://minio:9000', AWS_ENDPOINT_URL_STS: 'https://user:password@sts' },
    ],
    ['s3://sites', { AWS_REGION: 'word/of a secret' }],
  ])('%s with %j is refused, and not repeated', (store, variables) => {
    const read = storeAddress(store, variables);
    expect(read).toMatchObject({ ok: false, problems: [{ code: 'store/address' }] });
    expect(JSON.stringify(read)).not.toMatch(/password|word@|token|AGE-SECRET|of a secret/);
  });
});

describe('the STS of a store', () => {
  test.each([
    [{}, 'https://sts.us-east-1.amazonaws.com/'],
    [{ AWS_ENDPOINT_URL: 'http://minio:9000' }, 'http://minio:9000/'],
    [{ AWS_ENDPOINT_URL_S3: 'http://minio:9000' }, 'http://minio:9000/'],
    [
      { AWS_ENDPOINT_URL_S3: 'http://minio:9000', AWS_ENDPOINT_URL: 'https://user:word@s3.example' },
      'http://minio:9000/',
    ],
    [
      {
        AWS_ENDPOINT_URL_S3: 'https://bucket.vpce-1.s3.eu-central-1.vpce.amazonaws.com',
        AWS_REGION: 'eu-central-1',
      },
      'https://sts.eu-central-1.amazonaws.com/',
    ],
    [
      { AWS_ENDPOINT_URL: 'http://minio:9000', AWS_ENDPOINT_URL_STS: 'https://sts.example' },
      'https://sts.example/',
    ],
  ])('with %j is %s', (variables, stsUrl) => {
    expect(storeAddress('s3://sites', variables)).toMatchObject({ value: { stsUrl } });
  });
});

describe('the credentials of a store', () => {
  const folder = scratchFolder();
  const file = join(folder, 'credentials');
  writeFileSync(
    file,
    '# of ours\n[default]\naws_access_key_id = one\naws_secret_access_key=a/b=c \n\n[ other ]\naws_access_key_id = two\r\n' +
      'aws_secret_access_key = d\r\naws_session_token = e\r\n[half]\naws_access_key_id = three\n[both]\ncredential_process = first\n',
  );
  const config = join(folder, 'config');
  writeFileSync(
    config,
    '[default]\nregion = x\naws_access_key_id = of-config\n[profile tool]\ncredential_process = /opt/tool "a b"\ns3 =\n  credential_process = nested\n' +
      '[profile  both]\ncredential_process = second\n[profile role]\nweb_identity_token_file = /token\nrole_arn = arn:r\n[half]\naws_secret_access_key = no profile\n',
  );
  const shared = { AWS_SHARED_CREDENTIALS_FILE: file, AWS_CONFIG_FILE: config };
  const web = { AWS_WEB_IDENTITY_TOKEN_FILE: '/t', AWS_ROLE_ARN: 'arn:a' };

  test.each([
    [
      { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', ...shared, ...web },
      { kind: 'keys', keys: { accessKeyId: 'a', secretAccessKey: 'b' } },
    ],
    [
      { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', AWS_SESSION_TOKEN: 'c' },
      { kind: 'keys', keys: { accessKeyId: 'a', secretAccessKey: 'b', sessionToken: 'c' } },
    ],
    [
      { ...shared, ...web },
      { kind: 'web-identity', tokenFile: '/t', role: 'arn:a', session: 'sno-install' },
    ],
    [
      { AWS_WEB_IDENTITY_TOKEN_FILE: '/t', AWS_ROLE_SESSION_NAME: 's' },
      { kind: 'web-identity', tokenFile: '/t', session: 's' },
    ],
    [shared, { kind: 'keys', keys: { accessKeyId: 'one', secretAccessKey: 'a/b=c' } }],
    [
      { ...shared, AWS_PROFILE: 'tool' },
      { kind: 'process', command: '/opt/tool "a b"' },
    ],
    [
      { ...shared, AWS_PROFILE: 'both' },
      { kind: 'process', command: 'first' },
    ],
    [
      { ...shared, AWS_PROFILE: 'role' },
      { kind: 'web-identity', tokenFile: '/token', role: 'arn:r', session: 'sno-install' },
    ],
  ])('by %j', (variables, value) => {
    expect(credentialSource(variables)).toEqual({ ok: true, value, warnings: [] });
  });

  test('a profile with a session token is read again', async () => {
    const source = credentialSource({ ...shared, AWS_PROFILE: 'other' });
    const keys = { accessKeyId: 'two', secretAccessKey: 'd', sessionToken: 'e' };
    expect(source).toMatchObject({ value: { kind: 'profile', keys } });
    if (!source.ok || source.value.kind !== 'profile') throw new Error('it is a profile');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('aws_session_token = e', 'aws_session_token = f'));
    expect(await profileKeys(source.value)).toEqual({ ...keys, sessionToken: 'f' });
    writeFileSync(file, '');
    await expect(profileKeys(source.value)).rejects.toMatchObject({ kind: 'credentials' });
    writeFileSync(file, text);
  });

  test.each([
    [
      { ...shared, AWS_PROFILE: 'half' },
      'the profile has no access keys, web identity or credential_process',
    ],
    [{ ...shared, AWS_PROFILE: 'none' }, 'credentials for the store are missing'],
    [
      { AWS_SHARED_CREDENTIALS_FILE: `${file}.not`, AWS_CONFIG_FILE: `${file}.not` },
      'credentials for the store are missing',
    ],
    [
      { ...shared, AWS_SHARED_CREDENTIALS_FILE: '/' },
      'cannot read the credentials file: it is a folder, not a file',
    ],
  ])('none by %j', (variables, message) => {
    expect(credentialSource(variables)).toMatchObject({
      ok: false,
      problems: [{ code: 'store/credentials', message }],
    });
  });
});

test.each([
  [{}, { httpsProxy: '', noProxy: '' }],
  [
    { https_proxy: 'http://proxy:3128', NO_PROXY: 'a', no_proxy: 'b' },
    { httpsProxy: 'http://proxy:3128', noProxy: 'a' },
  ],
])('the proxy of %j', (variables, value) => {
  expect(environmentProxy(variables)).toMatchObject({ ok: true, value });
});

test('an invalid proxy is refused, and not repeated', () => {
  const refused = environmentProxy({ HTTPS_PROXY: 'user:password@proxy' });
  expect(refused).toMatchObject({ ok: false, problems: [{ code: 'usage/proxy' }] });
  expect(JSON.stringify(refused)).not.toContain('password');
});
