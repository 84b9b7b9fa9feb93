import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, expect, test } from 'vitest';

import { ensureRecordKey } from '../../../src/disk/site-record/record-key.js';
import { fleetIdOf } from '../../../src/fleet/store/pack/shard-pack.js';
import { fleetFolder } from '../files.js';
import { snoInProcess } from '../../support/in-process.js';
import { throwawayCaPem } from '../../support/throwaway-certificates.js';

const fleetId = '0123456789abcdef0123456789abcdef';
const store = ['--shards', '8', '--store', 's3://sites/spring', '--image', 'sno-install.test/sno-install:1'];
const words = [...store, '--fleet-id', fleetId];

let variables: Record<string, string> = {};
beforeEach(() => {
  variables = {};
});

interface JobResult {
  readonly problems: readonly { readonly code: string; readonly message: string }[];
  readonly objects?: readonly {
    readonly kind: string;
    readonly metadata: { readonly labels: Readonly<Record<string, string>> };
    readonly data?: Readonly<Record<string, string>>;
    readonly spec?: { readonly suspend?: boolean; readonly template: { readonly spec: Pod } };
  }[];
  readonly secrets?: readonly { readonly name: string }[];
}

interface Pod {
  readonly serviceAccountName?: string;
  readonly containers: readonly {
    readonly args: readonly string[];
    readonly env: readonly { readonly name: string; readonly value?: string }[];
    readonly volumeMounts: readonly { readonly name: string; readonly readOnly?: boolean }[];
  }[];
  readonly volumes: readonly { readonly name: string; readonly emptyDir?: { readonly medium?: string } }[];
}

async function job(...args: readonly string[]): Promise<JobResult> {
  const { stdout } = await snoInProcess(['fleet', 'job', '--output', 'json', ...args], { variables });
  return JSON.parse(stdout) as JobResult;
}

function podOf({ objects = [] }: JobResult): Pod {
  const pod = objects.find(({ kind }) => kind === 'Job')?.spec?.template.spec;
  if (pod === undefined) throw new Error('there is no Job');
  return pod;
}

test('a pod gets its shard from the store, and writes only to memory', async () => {
  const result = await job(...words, '--only', 'north-*', '--where', 'region=eu,role=canary');
  expect(result.secrets?.map(({ name }) => name)).toEqual([
    'sno-install-fleet-store',
    'sno-install-fleet-identity',
  ]);
  const pod = podOf(result);
  const [container] = pod.containers;
  expect(container?.args.join(' ')).toBe(
    `fleet create --store s3://sites/spring --packed --shard $(JOB_COMPLETION_INDEX)/8 --fleet-id ${fleetId} ` +
      '--identity /identity/identity --jobs 1 --only north-* --where region=eu,role=canary',
  );
  const written = (container?.volumeMounts ?? []).flatMap(({ name, readOnly }) => (readOnly ? [] : [name]));
  expect(pod.volumes.filter(({ name }) => written.includes(name))).toMatchObject([
    { emptyDir: { medium: 'Memory' } },
  ]);
});

test('a queue gets a suspended Job with the label of Kueue', async () => {
  const [queued] = (await job(...words, '--queue', 'sites')).objects ?? [];
  expect(queued).toMatchObject({
    metadata: { labels: { 'kueue.x-k8s.io/queue-name': 'sites' } },
    spec: { suspend: true },
  });
  const [plain] = (await job(...words)).objects ?? [];
  expect([plain?.spec?.suspend, Object.keys(plain?.metadata.labels ?? {})]).toEqual([
    undefined,
    ['app.kubernetes.io/name', 'app.kubernetes.io/instance'],
  ]);
});

test('a service account replaces the Secret with credentials', async () => {
  variables['AWS_ROLE_ARN'] = 'arn:aws:iam::123456789012:role/sites';
  variables['AWS_ENDPOINT_URL_STS'] = 'https://sts.example';
  const result = await job(...words, '--service-account', 'packer');
  expect(result.secrets?.map(({ name }) => name)).toEqual(['sno-install-fleet-identity']);
  const pod = podOf(result);
  const values = pod.containers[0]?.env.map(({ name, value }) => `${name}=${value ?? ''}`) ?? [];
  expect(values).toEqual(
    expect.arrayContaining([
      'AWS_ROLE_ARN=arn:aws:iam::123456789012:role/sites',
      'AWS_ENDPOINT_URL_STS=https://sts.example',
      'AWS_WEB_IDENTITY_TOKEN_FILE=/store-token/token',
    ]),
  );
  expect(JSON.stringify(pod)).not.toContain('AWS_SECRET_ACCESS_KEY');
  expect(pod).toMatchObject({
    serviceAccountName: 'packer',
    volumes: expect.arrayContaining([
      expect.objectContaining({
        name: 'store-token',
        projected: {
          defaultMode: 0o444,
          sources: [
            {
              serviceAccountToken: { audience: 'sts.amazonaws.com', expirationSeconds: 3600, path: 'token' },
            },
          ],
        },
      }),
    ]) as unknown,
  });
});

test('takes the fleet ID from the key in the output folder', async () => {
  const dir = fleetFolder();
  const without = await job(...store, '--dir', dir);
  expect(without.problems).toMatchObject([
    { code: 'job/setting', message: 'the output directory has no fleet key' },
  ]);
  const key = '5a'.repeat(32);
  mkdirSync(join(dir, 'out'));
  expect(ensureRecordKey(join(dir, 'out'), key).ok).toBe(true);
  const [container] = podOf(await job(...store, '--dir', dir)).containers;
  expect(container?.args).toContain(fleetIdOf(key));
});

test('rejects invalid options without repeating them', async () => {
  const odd = ['--shards', '0', '--name', 'A', '--image', 'user:word@x', '--jobs', 'all', '--queue', 'a b'];
  const { problems } = await job(...words, ...odd, '--service-account', 'A!', '--fleet-id', 'word');
  expect(problems.map(({ code }) => code)).toEqual(Array.from({ length: 7 }, () => 'job/setting'));
  expect(JSON.stringify(problems)).not.toContain('word@x');
});

test('names the endpoint and region of the store, and contains only the certificates of AWS_CA_BUNDLE', async () => {
  const dir = fleetFolder({
    'authorities.pem': `word-of-it\n${throwawayCaPem}-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n`,
    'notes.txt': 'word-of-it',
  });
  variables['AWS_ENDPOINT_URL'] = 'https://user:word-of-it@store.example';
  variables['AWS_ENDPOINT_URL_S3'] = 'https://s3.example/gateway/';
  variables['AWS_REGION'] = 'north-1';
  variables['AWS_DEFAULT_REGION'] = 'word-of-it';
  variables['AWS_CA_BUNDLE'] = join(dir, 'authorities.pem');
  const { stdout } = await snoInProcess(['fleet', 'job', '--output', 'json', ...words], {
    variables,
  });
  expect(stdout).not.toMatch(/word-of-it|PRIVATE/);
  const { objects = [] } = JSON.parse(stdout) as JobResult;
  expect(objects.flatMap(({ data = {} }) => Object.entries(data))).toContainEqual(['ca.pem', throwawayCaPem]);
  const named = [...stdout.matchAll(/"name": "(AWS_(?:ENDPOINT\w*|\w*REGION))",\s+"value": "(.*)"/g)];
  expect(named.map(([, name, value]) => `${name}=${value}`)).toEqual([
    'AWS_ENDPOINT_URL_S3=https://s3.example/gateway',
    'AWS_REGION=north-1',
  ]);

  variables['AWS_CA_BUNDLE'] = join(dir, 'notes.txt');
  const refused = await snoInProcess(['fleet', 'job', '--output', 'json', ...words], {
    variables,
  });
  expect(refused.stdout).not.toContain('word-of-it');
  expect((JSON.parse(refused.stdout) as JobResult).problems.map(({ code }) => code)).toEqual([
    'usage/unreadable-file',
  ]);
});
