import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { storeAddress } from '../../../src/remote/object-store/store-address.js';
import { storeCredentials } from '../../../src/remote/object-store/store-credentials.js';
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
    ['s3://sites', { AWS_REGION: 'word/of a secret' }],
  ])('%s with %j is refused, and not repeated', (store, variables) => {
    const read = storeAddress(store, variables);
    expect(read).toMatchObject({ ok: false, problems: [{ code: 'store/address' }] });
    expect(JSON.stringify(read)).not.toMatch(/password|word@|token|AGE-SECRET|of a secret/);
  });
});

describe('the credentials of a store', () => {
  const file = join(scratchFolder(), 'credentials');
  writeFileSync(
    file,
    '# of ours\n[default]\naws_access_key_id = one\naws_secret_access_key=a/b=c \n\n[ other ]\naws_access_key_id = two\r\n' +
      'aws_secret_access_key = d\r\naws_session_token = e\r\n[half]\naws_access_key_id = three\n',
  );
  const shared = { AWS_SHARED_CREDENTIALS_FILE: file };

  test.each([
    [
      { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', ...shared },
      { accessKeyId: 'a', secretAccessKey: 'b' },
    ],
    [
      { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', AWS_SESSION_TOKEN: 'c' },
      { accessKeyId: 'a', secretAccessKey: 'b', sessionToken: 'c' },
    ],
    [shared, { accessKeyId: 'one', secretAccessKey: 'a/b=c' }],
    [
      { ...shared, AWS_PROFILE: 'other' },
      { accessKeyId: 'two', secretAccessKey: 'd', sessionToken: 'e' },
    ],
  ])('by %j', (variables, value) => {
    expect(storeCredentials(variables)).toEqual({ ok: true, value, warnings: [] });
  });

  test.each([
    [{ ...shared, AWS_PROFILE: 'half' }, 'the credentials file has no credentials for this profile'],
    [{ ...shared, AWS_PROFILE: 'none' }, 'the credentials file has no credentials for this profile'],
    [{ AWS_SHARED_CREDENTIALS_FILE: `${file}.not` }, 'credentials for the store are missing'],
    [{ AWS_SHARED_CREDENTIALS_FILE: '/' }, 'cannot read the credentials file: it is a folder, not a file'],
  ])('none by %j', (variables, message) => {
    expect(storeCredentials(variables)).toMatchObject({
      ok: false,
      problems: [{ code: 'store/credentials', message }],
    });
  });
});
