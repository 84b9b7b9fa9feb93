import { describe, expect, it, test } from 'vitest';

import { analyzeBundle } from '../../src/analysis/analyze.js';
import { bundleOf, type Bundle } from '../../src/analysis/bundle.js';
import { describeAnalysis } from '../../src/analysis/describe.js';
import { renderAnalysis } from '../../src/analysis/render-analysis.js';
import { entry, failingRecord } from './support/made-bundle.js';

function bundle(texts: Readonly<Record<string, string>>): Bundle {
  const files = Object.entries(texts).map(([path, text]) => ({ path, text, sizeBytes: text.length }));
  return bundleOf('log-bundle-1.tar.gz', files, []);
}

function reported(texts: Readonly<Record<string, string>>): string {
  return renderAnalysis('log-bundle-1.tar.gz', describeAnalysis(analyzeBundle(bundle(texts))), {
    unpack: 'tar -xzf log-bundle-1.tar.gz',
    folder: 'log-bundle-1/',
  });
}

const services = 'bootstrap/services';
const journals = 'bootstrap/journals';
const at = (second: number, text: string) =>
  `2026-01-02T03:04:${String(second).padStart(2, '0')}+0000 sno1 bootkube.sh[1]: ${text}\n`;

const systemd = (second: number, text: string) => at(second, text).replace('bootkube.sh[1]', 'systemd[1]');

describe('a phase that is complete', () => {
  const dasd = 'a DASD has no disk ID: a second installation cannot be detected';
  const note = '[disk-cannot-be-marked]';
  const rebooted = JSON.stringify([
    entry(1, 'service start'),
    entry(2, 'stage start', { stage: 'reboot' }),
    entry(3, 'stage end', { stage: 'reboot', result: 'success' }),
  ]);
  const live = {
    [`${services}/install-to-disk.json`]: rebooted,
    [`${journals}/install-to-disk.log`]: at(2, dasd).replace('bootkube', 'install-to-disk'),
  };

  it('reports a disk without a mark', () => {
    const analysis = analyzeBundle(bundle(live));
    expect([analysis.verdict, analysis.notes.map(({ fault }) => fault.id)]).toEqual([
      'complete',
      ['disk-cannot-be-marked'],
    ]);
    expect(reported(live)).toContain(note);
  });

  it('reports it in the next phase too', () => {
    const earlier = Object.entries(live).map(([path, text]) => [`log-bundle-bootstrap/${path}`, text]);
    expect(reported(Object.fromEntries(earlier) as Record<string, string>)).toContain(note);
  });
});

describe('a bundle of an all-in-one node', () => {
  const line = (unit: string, second: number, text: string) =>
    at(second, text).replace('bootkube.sh[1]', `${unit}[1]`);
  const failed = (stage: string, message: string, unit = 'aiokube.sh') =>
    failingRecord(stage, message).replace('bootkube.sh', unit);
  const ranOut = 'timed out after 3600 s waiting for the API server on localhost';
  const noImage =
    'E0102 kuberuntime_manager.go:1] "Failed" err="failed to pull image \\"registry.k8s.io/etcd:3.6.8-0\\": not found"';

  it.each([
    {
      name: 'that waits for its API',
      texts: {
        [`${services}/aiokube.json`]: failed('api', ranOut),
        [`${journals}/aiokube.log`]: line('aiokube.sh', 2, 'stage api') + line('aiokube.sh', 3, ranOut),
        'bootstrap/containers/etcd-etcd-site1-0.log': 'panic',
      },
      want: [
        'the installation has stopped on the all-in-one node',
        '[aio-api-absent]',
        '  log-bundle-1/bootstrap/containers/etcd-etcd-site1-0.log',
      ],
    },
    {
      name: 'whose images cannot be pulled',
      texts: {
        [`${services}/aiokube.json`]: failed('api', ranOut),
        [`${journals}/aiokube.log`]: line('aiokube.sh', 2, 'stage api') + line('aiokube.sh', 3, ranOut),
        [`${journals}/kubelet.log`]: line('kubelet', 2, noImage),
      },
      want: ['stage:      api (aiokube)', '[aio-image-not-pulled]'],
    },
    {
      name: 'that lacks a program',
      texts: {
        [`${services}/aiokube.json`]: failed('machine', 'timed out'),
        [`${journals}/aiokube.log`]:
          line('aiokube.sh', 2, 'stage machine') +
          line('aiokube.sh', 2, 'missing on this machine: kubelet, jq: add to aio.files of sno-config.yaml') +
          line('aiokube.sh', 3, 'timed out after 600 s waiting for the programs of the node'),
      },
      want: ['[aio-missing-program]'],
    },
    {
      name: 'that is finished and no longer renews',
      texts: {
        [`${services}/sno-renew.json`]: failed('outcome', 'not renewed: etcd-peer', 'sno-renew.sh'),
        [`${journals}/sno-renew.log`]:
          line('sno-renew.sh', 2, 'stage outcome') + line('sno-renew.sh', 3, 'not renewed: etcd-peer'),
        'rendered-assets/openshift/.aiokube.done': '2026-01-02T03:04:00Z\n',
        'bootstrap/certificates.txt': 'subject=CN = etcd-peer\n',
      },
      want: [
        'stage:      outcome (sno-renew)',
        '[aio-not-renewed]',
        '  log-bundle-1/bootstrap/certificates.txt',
      ],
    },
    {
      name: 'that is finished',
      texts: {
        [`${services}/sno-renew.json`]: JSON.stringify([
          entry(1, 'service start'),
          entry(2, 'service end', { result: 'success' }),
        ]),
        'rendered-assets/openshift/.aiokube.done': '2026-01-02T03:04:00Z\n',
      },
      want: ['log-bundle-1.tar.gz: the all-in-one node is complete'],
    },
  ])('$name', ({ texts, want }) => {
    const text = reported(texts);
    expect(want.filter((each) => !text.includes(each))).toEqual([]);
  });
});

describe('analyzes a whole bundle', () => {
  it('with the stage, its error, the likely cause and files to read', () => {
    const text = reported({
      [`${services}/bootkube.json`]: failingRecord('stop-etcd', 'etcd does not stop'),
      [`${journals}/bootkube.log`]:
        systemd(1, 'Started Bring up a temporary control plane.') +
        at(2, 'stage stop-etcd') +
        at(3, 'etcd does not stop') +
        systemd(3, "bootkube.service: Failed with result 'exit-code'.") +
        at(9, 'stage wait-for-machine'),
      'rendered-assets/openshift/sno-install.env': '',
      'failed-units.txt': 'crio.service loaded failed failed Container Runtime\n(systemctl: exit status 1)\n',
    });

    expect(text).toBe(`log-bundle-1.tar.gz: the installation has stopped in the live system

stage:      stop-etcd (bootkube)
since:      2026-01-02T03:04:03Z
last error: etcd does not stop
at line:    59 fail bootkube.sh
lines before:
  stage stop-etcd

likely cause: etcd does not stop [etcd-does-not-stop]
  log of bootkube at 2026-01-02T03:04:03Z: the last error above
  cause: CRI-O does not answer, or the kubelet does not notice that the static pod is gone.
  to do: On the node: \`sudo crictl ps\`, \`sudo systemctl restart kubelet\`; the stage is retried automatically.

other failed units:
  crio.service

read next, after \`tar -xzf log-bundle-1.tar.gz\`:
  log-bundle-1/bootstrap/journals/bootkube.log
  log-bundle-1/failed-units.txt
`);
  });

  it('with the last lines and files to read for an unknown fault', () => {
    const text = reported({
      [`${services}/bootkube.json`]: failingRecord('cvo-bootstrap', 'panic: odd\ngoroutine 1'),
      [`${services}/sno-preflight.json`]: '[]',
      'gather.log': 'gathering\n',
    });

    expect(text).toBe(`log-bundle-1.tar.gz: the installation has stopped in the live system

stage:      cvo-bootstrap (bootkube)
since:      2026-01-02T03:04:03Z
last error: goroutine 1
at line:    59 fail bootkube.sh
lines before:
  panic: odd

No known fault found. docs/boot-flow.md describes the stage.

read next, after \`tar -xzf log-bundle-1.tar.gz\`:
  log-bundle-1/gather.log

bundle notes:
  this is not a whole log bundle: bootstrap/journals/ is missing, so faults may not be found
`);
  });

  it('of openshift-install: from its records, with a journal without years', () => {
    const text = reported({
      [`${services}/release-image.json`]: '[]',
      [`${services}/bootkube.json`]: failingRecord('cb-bootstrap', ''),
      [`${journals}/bootkube.log`]:
        'Jan 02 03:04:02 host bootkube.sh[1]: Error: timed out creating manifests\n' +
        'Jan 02 03:04:03 host bootkube.sh[1]: bye\n',
    });

    expect(text.split('\n').slice(0, 8)).toEqual([
      'log-bundle-1.tar.gz: the installation has stopped in the live system (openshift-install bundle)',
      '',
      'stage:      cb-bootstrap (bootkube)',
      'since:      2026-01-02T03:04:03Z',
      'last error: bye',
      'at line:    59 fail bootkube.sh',
      'lines before:',
      '  Error: timed out creating manifests',
    ]);
    expect(text).toContain('[manifest-never-created]');
  });
});

describe('the verdict', () => {
  const stage = 'cvo-bootstrap';
  const failed = [
    entry(1, 'service start'),
    entry(1, 'stage start', { stage: 'wait-for-machine' }),
    entry(2, 'stage end', { stage: 'wait-for-machine', result: 'success' }),
    entry(2, 'stage start', { stage }),
    entry(3, 'stage end', { stage, result: 'failure' }),
    entry(3, 'service end', { result: 'failure' }),
    entry(9, 'service start'),
    entry(9, 'stage start', { stage: 'wait-for-machine' }),
    entry(9, 'stage end', { stage: 'wait-for-machine', result: 'success' }),
  ];
  const cases: readonly {
    name: string;
    record: readonly object[];
    verdict: string;
    stage: string | undefined;
  }[] = [
    { name: 'a failure that is tried again', record: failed.slice(0, 7), verdict: 'failed', stage },
    {
      name: 'a stage that began again, and had failed',
      record: [...failed, entry(10, 'stage start', { stage })],
      verdict: 'failed',
      stage,
    },
    {
      name: 'a stage that succeeded later',
      record: [
        ...failed,
        entry(10, 'stage start', { stage }),
        entry(12, 'stage end', { stage, result: 'success' }),
      ],
      verdict: 'in-progress',
      stage: undefined,
    },
    {
      name: 'a later stage that is under way',
      record: [...failed, entry(10, 'stage start', { stage: 'etcd-bootstrap' })],
      verdict: 'in-progress',
      stage: 'etcd-bootstrap',
    },
    {
      name: 'a stage that may fail',
      record: [
        entry(1, 'service start'),
        entry(2, 'stage start', { stage: 'resolve-api-url' }),
        entry(3, 'stage end', { stage: 'resolve-api-url', result: 'failure' }),
        entry(4, 'stage start', { stage }),
      ],
      verdict: 'in-progress',
      stage,
    },
    {
      name: 'a kill in the middle of a stage',
      record: [...failed.slice(0, 4), entry(9, 'service start')],
      verdict: 'in-progress',
      stage: undefined,
    },
    {
      name: 'a failure outside of any stage',
      record: [entry(1, 'service start'), entry(2, 'service end', { result: 'failure' })],
      verdict: 'failed',
      stage: undefined,
    },
  ];

  test.each(cases)('$name', ({ record, verdict, stage: want }) => {
    const analysis = analyzeBundle(bundle({ [`${services}/bootkube.json`]: JSON.stringify(record) }));

    expect([analysis.verdict, analysis.at?.stage]).toEqual([verdict, want]);
  });

  it('counts consecutive failures and shows the first and the last', () => {
    const again = failed.map((each) => JSON.parse(JSON.stringify(each).replace(/03:04/g, '04:04')) as object);
    const analysis = analyzeBundle(
      bundle({ [`${services}/bootkube.json`]: JSON.stringify([...failed, ...again]) }),
    );

    expect(analysis.at).toMatchObject({
      failures: 2,
      since: '2026-01-02T03:04:03Z',
      lastAt: '2026-01-02T04:04:03Z',
    });
  });

  it('selects the first service of the flow', () => {
    const analysis = analyzeBundle(
      bundle({
        [`${services}/install-to-disk.json`]: failingRecord('wait-for-bootkube', ''),
        [`${services}/bootkube.json`]: failingRecord('wait-for-machine', ''),
        [`${services}/release-image.json`]: failingRecord('pull-release-image', ''),
      }),
    );

    expect(analysis.at?.service).toBe('release-image');
    expect(analysis.others.map(({ service }) => service)).toEqual(['bootkube', 'install-to-disk']);
  });

  it('is blocked while a running stage meets a known fault, and in progress while it only waits', () => {
    const record = JSON.stringify([
      entry(1, 'service start'),
      entry(2, 'stage start', { stage: 'pull-release-image' }),
    ]);
    const pulling = 'pulling example.com/release for a while failed after 5 s of 3600 s, next try in 5 s: ';
    const held = (reason: string) =>
      analyzeBundle(
        bundle({
          [`${services}/release-image.json`]: record,
          [`${journals}/release-image.log`]: at(2, 'stage pull-release-image') + at(3, `${pulling}${reason}`),
        }),
      );

    expect(held('unauthorized').verdict).toBe('blocked');
    expect(renderAnalysis('a', describeAnalysis(held('unauthorized')), { folder: 'a/' }).split('\n')[0]).toBe(
      'a: the installation is still running in the live system, but a known fault blocks the stage below (openshift-install bundle)',
    );
    expect(held('something odd').verdict).toBe('in-progress');
  });

  it.each([
    'example.com/a:1 is not pulled ahead: Error: initializing source docker://example.com/a:1: reading manifest 1 in example.com/a: toomanyrequests: rate exceeded',
    'example.com/a:1 is not pulled ahead: Error: writing blob: storing blob to file "/var/tmp/storage1/19": no space left on device',
    'timed out after 3600 s waiting for memory for example.com/a:1',
  ])('is in progress at bootkube if images are not pulled ahead: %s', (line) => {
    const running = (stage: string) =>
      JSON.stringify([entry(1, 'service start'), entry(2, 'stage start', { stage })]);
    const analysis = analyzeBundle(
      bundle({
        [`${services}/sno-fetch-images.json`]: running('fetch-images'),
        [`${services}/bootkube.json`]: running('mco-bootstrap'),
        [`${journals}/sno-fetch-images.log`]:
          at(2, 'stage fetch-images') + at(3, line).replace('bootkube.sh', 'sno-fetch-images.sh'),
        [`${journals}/bootkube.log`]: at(2, 'stage mco-bootstrap'),
      }),
    );

    expect([analysis.verdict, analysis.at?.service, analysis.at?.stage, analysis.faults]).toEqual([
      'in-progress',
      'bootkube',
      'mco-bootstrap',
      [],
    ]);
  });

  it('of a unit that failed without a record goes by systemd', () => {
    const analysis = analyzeBundle(
      bundle({
        'failed-units.txt':
          'machine-config-daemon-firstboot.service loaded failed failed x\nfoo.service loaded failed failed\n',
        'bootstrap/services/sno-etcd-restore.json': '[]',
        [`control-plane/master/journals/machine-config-daemon-firstboot.log`]: at(4, 'cannot pivot'),
      }),
    );

    expect(analysis).toMatchObject({ verdict: 'failed', phase: 'node', failedUnits: ['foo.service'] });
    expect(analysis.at).toMatchObject({ service: 'machine-config-daemon-firstboot' });
    expect(analysis.at?.lines.map(({ text }) => text)).toEqual(['cannot pivot']);
  });

  it('does not trip over a record that is none', () => {
    const analysis = analyzeBundle(
      bundle({ [`${services}/bootkube.json`]: '{"not":"an array"}', [`${services}/crio.json`]: '[1, {}]' }),
    );

    expect(analysis.bundleNotes).toEqual([
      'this is not a whole log bundle: bootstrap/journals/ is missing, so faults may not be found',
      'bootstrap/services/bootkube.json is not a valid service record',
    ]);
    expect(analysis.verdict).toBe('in-progress');
  });
});
