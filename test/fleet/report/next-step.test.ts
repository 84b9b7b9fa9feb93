import { describe, expect, it } from 'vitest';

import { nextStep, type SiteFacts } from '../../../src/fleet/report/next-step.js';

const now = new Date('2026-11-28T12:00:00Z');
const places = { dir: 'fleet', outputs: 'fleet/out/n-1', host: 'api.n-1.example.com', now };
const gather = 'sno-install gather --dir fleet/out/n-1 --bootstrap api.n-1.example.com';
const again = 'sno-install fleet boot fleet --only n-1 --again --media urls.json';

const [early, late] = ['2026-11-28T11:00:00Z', '2026-11-28T11:58:00Z'];
const booted = { state: 'booted', updatedAt: early } as const;
const silent = { isReached: false, message: 'connection refused' };
const failed: NonNullable<SiteFacts['rollout']> = {
  operation: 'boot',
  until: 'install-complete',
  state: 'failed',
  attempts: 1,
  cause: 'the site timeout',
};
const medium = { sentBytes: 100, mediumBytes: 100, lastFile: 'live.iso', lastAt: '2026-11-28T11:10:00Z' };
const node = { message: 'bootkube: api', receivedAt: late, isFailing: false };

interface Case extends Omit<SiteFacts, 'name' | 'api'> {
  readonly title: string;
  readonly api?: SiteFacts['api'];
  readonly want: readonly [status: string, reason: string, command?: string];
}

const cases: readonly Case[] = [
  {
    title: 'its API has reached the goal',
    boot: booted,
    api: { isReached: true, message: 'version 4.21.0' },
    want: ['installed', 'version 4.21.0'],
  },
  {
    title: 'it is installed after its rollout gave up',
    rollout: failed,
    api: { isReached: true, message: 'version 4.21.0' },
    want: [
      'installed',
      'version 4.21.0',
      'sno-install fleet rollout fleet --only n-1 --media urls.json --retry-failed',
    ],
  },
  {
    title: 'it was installed again after the site timeout',
    rollout: { ...failed, operation: 'reinstall' },
    api: { isReached: true, message: 'version 4.21.0' },
    want: ['installed', 'version 4.21.0'],
  },
  {
    title: 'its upgrade is complete after the site timeout',
    rollout: { ...failed, operation: 'upgrade', until: 'quay.io/release@sha256:0' },
    api: { isReached: true, message: 'version 4.21.9' },
    want: [
      'installed',
      'version 4.21.9',
      'sno-install fleet upgrade fleet --only n-1 --to quay.io/release@sha256:0 --retry-failed',
    ],
  },
  {
    title: 'its log bundle shows a fault',
    boot: booted,
    node,
    bundle: { path: 'out/log bundle.tar.gz', finding: 'etcd: no space' },
    want: ['failed', 'etcd: no space', "sno-install analyze 'out/log bundle.tar.gz'"],
  },
  {
    title: 'its log bundle shows no fault',
    boot: booted,
    node,
    bundle: { path: 'log-bundle.tar.gz' },
    want: ['waiting', 'bootkube: api'],
  },
  {
    title: 'its node reports a failure',
    boot: booted,
    node: { ...node, isFailing: true },
    want: ['failed', 'the node reports: bootkube: api', gather],
  },
  { title: 'nobody booted it', want: ['waiting', 'no command has booted the site'] },
  {
    title: 'its BMC does not answer before the first boot',
    bmc: { isFault: true, message: 'connection refused' },
    want: ['failed', 'the BMC: connection refused', 'sno-install fleet boot fleet --only n-1 --check'],
  },
  {
    title: 'its BMC does not answer during the installation',
    boot: { ...booted, updatedAt: late },
    bmc: { isFault: true, message: 'timeout' },
    want: ['waiting', 'connection refused'],
  },
  {
    title: 'it was booted just now',
    boot: { ...booted, updatedAt: late },
    want: ['waiting', 'connection refused'],
  },
  {
    title: 'its medium was never requested',
    boot: booted,
    want: ['failed', `booted at ${early}, and its medium was not requested from \`serve\` since`, again],
  },
  {
    title: 'its medium was requested only by an earlier boot',
    boot: booted,
    medium: { ...medium, lastAt: '2026-11-28T10:59:59Z' },
    want: ['failed', `booted at ${early}, and its medium was not requested from \`serve\` since`, again],
  },
  {
    title: 'its download broke off',
    boot: booted,
    medium: { ...medium, sentBytes: 37 },
    want: ['failed', `37 % of its medium was sent, the last part at ${medium.lastAt}`, again],
  },
  {
    title: 'its download goes on',
    boot: booted,
    medium: { ...medium, sentBytes: 37, lastAt: late },
    want: ['waiting', 'connection refused'],
  },
  {
    title: 'it has its medium and never reported',
    boot: booted,
    medium,
    want: [
      'failed',
      `its medium was sent (live.iso at ${medium.lastAt}), and the node has not reported since`,
      gather,
    ],
  },
  {
    title: 'it has its medium and reports',
    boot: booted,
    medium,
    node,
    want: ['waiting', 'bootkube: api'],
  },
  {
    title: 'it was booted by hand, and its download broke off',
    medium: { ...medium, sentBytes: 37 },
    want: ['failed', `37 % of its medium was sent, the last part at ${medium.lastAt}`, again],
  },
  {
    title: 'its rollout gave up while it reports',
    rollout: failed,
    boot: booted,
    medium,
    node,
    want: ['failed', 'the site timeout', gather],
  },
  {
    title: 'its upgrade failed, long after its boot',
    rollout: { ...failed, operation: 'upgrade' },
    boot: { ...booted, updatedAt: '2026-10-01T00:00:00Z' },
    want: ['failed', 'the site timeout', gather],
  },
];

describe('the next step of a site', () => {
  it.each(cases)('if $title', ({ want, api = silent, ...facts }) => {
    const { status, reason, command } = nextStep({ ...facts, name: 'n-1', api }, places);
    expect([status, reason, ...(command === undefined ? [] : [command])]).toEqual(want);
  });
});
