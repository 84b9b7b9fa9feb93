import { expect, test } from 'vitest';

import { describeWith } from '../../support/programs.js';
import { releaseDigest, releaseImage } from '../support/node-files.js';
import { scratchNode } from '../support/scratch-node.js';

describeWith(['bash', 'jq'], 'bootstrap-service-record.sh', () => {
  test('writes records that openshift-install analyze reads', () => {
    const node = scratchNode();
    node.answer('journalctl', 'line one\nline "two"\nline \\three\n');

    const { status } = node.runLines(
      ['sno-common'],
      `SERVICE_RECORD_NAME=example
       record_begin
       record_stage_start first
       record_stage_success
       record_stage_start second
       false`,
    );

    expect(status).toBe(1);
    const place = expect.stringMatching(/^\d+ main .*lines\.sh$/) as string;
    const why = 'line one\nline "two"\nline \\three';
    expect(node.record('example')).toEqual(
      [
        { phase: 'service start' },
        { phase: 'stage start', stage: 'first' },
        { phase: 'stage end', stage: 'first', result: 'success' },
        { phase: 'stage start', stage: 'second' },
        { phase: 'stage end', stage: 'second', result: 'failure', errorLine: place, errorMessage: why },
        { phase: 'service end', result: 'failure', errorLine: place, errorMessage: why },
      ].map((entry) => ({
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string,
        ...entry,
      })),
    );
    expect(node.calls('journalctl')[0]).toEqual([
      'journalctl',
      '--unit=example.service',
      '--lines=3',
      '--output=cat',
      // Without the additional fields of podman and systemd.
      '_TRANSPORT=stdout',
    ]);
  });

  test('appends to the record of earlier runs', () => {
    const node = scratchNode();
    const lines = 'SERVICE_RECORD_NAME=example; record_begin';

    node.runLines(['sno-common'], lines);
    node.runLines(['sno-common'], lines);

    expect(node.record('example').map(({ phase }) => phase)).toEqual([
      'service start',
      'service end',
      'service start',
      'service end',
    ]);
  });

  test.each(['', '\0\0\0\0', '[', '[{"timestamp":"2026-01-', '[]\n'])(
    'starts with a new record after %j',
    (damaged) => {
      const node = scratchNode();
      node.write('var/log/openshift/example.json', damaged);

      const { status } = node.runLines(['sno-common'], 'SERVICE_RECORD_NAME=example; record_begin');

      expect(status).toBe(0);
      expect(node.entries('example')).toEqual([
        { phase: 'service start' },
        { phase: 'service end', result: 'success' },
      ]);
    },
  );

  test('a program of the service adds its stages, but no second start and end', () => {
    const node = scratchNode();
    const inner = `source ${node.root}/usr/local/bin/sno-common.sh; record_begin; record_stage_start inner; exit 1`;

    node.runLines(['sno-common'], `SERVICE_RECORD_NAME=example; record_begin; bash -euc '${inner}'`);

    expect(node.record('example').map(({ phase, stage, result }) => [phase, stage, result])).toEqual([
      ['service start', undefined, undefined],
      ['stage start', 'inner', undefined],
      ['stage end', 'inner', 'failure'],
      ['service end', undefined, 'failure'],
    ]);
  });

  test.each([
    {
      name: 'a stage within a stage',
      lines: 'record_begin; record_stage_start one; record_stage_start two',
      want: 'stage two was started while stage one is still open\n',
    },
    {
      name: 'an end without a start',
      lines: 'record_begin; record_stage_success',
      want: 'the end of a stage was recorded though none is open\n',
    },
  ])('rejects $name', ({ lines, want }) => {
    const { status, stderr } = scratchNode().runLines(['sno-common'], lines);
    expect([status, stderr]).toEqual([1, want]);
  });

  test('runs the clean-up of a script whatever its result', () => {
    const results = ['true', 'false'].map((command) => {
      const node = scratchNode();
      const lines = `clean() { echo cleaned; }; record_cleanups+=(clean); record_begin; ${command}`;
      const { status, stdout } = node.runLines(['sno-common'], lines);
      return { status, stdout };
    });
    expect(results).toEqual([
      { status: 0, stdout: 'cleaned\n' },
      { status: 1, stdout: 'cleaned\n' },
    ]);
  });
});

describeWith(['bash', 'jq'], 'sno-common.sh', () => {
  test('reports missing variables if the environment file is missing', () => {
    const node = scratchNode();
    node.remove('opt/openshift/sno-install.env');

    const { status, stderr } = node.runLines(['sno-common'], 'echo never');

    expect([status, stderr]).toEqual([
      1,
      'cannot read /opt/openshift/sno-install.env, which the installer put on this node\n',
    ]);
  });

  test('run_stage runs a stage only once, unless it failed', () => {
    const node = scratchNode();
    const lines = `stage() { echo run; [[ -e ${node.root}/works ]]; echo end; }
      record_begin
      run_stage example stage`;

    const first = node.runLines(['sno-common'], lines);
    const marked = node.has('opt/openshift/example.done');
    node.write('works', '');
    const [second, third] = [node.runLines(['sno-common'], lines), node.runLines(['sno-common'], lines)];

    expect([first, second, third]).toEqual([
      { status: 1, stdout: 'run\n', stderr: 'stage example\n' },
      { status: 0, stdout: 'run\nend\n', stderr: 'stage example\n' },
      { status: 0, stdout: '', stderr: 'stage example: done by an earlier run\n' },
    ]);
    expect(marked).toBe(false);
    expect(node.read('opt/openshift/example.done')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\n$/);
  });

  test('try_stage ends a stage at its first error and continues', () => {
    const node = scratchNode();

    const run = node.runLines(
      ['sno-common'],
      'stage() { false; echo never; }; record_begin; try_stage example stage; echo on',
    );

    expect(run).toEqual({
      status: 0,
      stdout: 'on\n',
      stderr: 'stage example\nstage example failed, which does not stop the installation\n',
    });
    expect(node.has('opt/openshift/example.done')).toBe(false);
  });

  const waits: readonly { name: string; command: string; want: readonly string[]; status: number }[] = [
    {
      name: 'returns at once if the condition is met',
      command: "wait_until 'the sun' 600 30 true",
      want: ['waiting for the sun, at most 600 s'],
      status: 0,
    },
    {
      name: 'logs the condition every minute, and times out',
      command: "wait_until 'the sun' 150 30 false",
      want: [
        'waiting for the sun, at most 150 s',
        'still waiting for the sun: 60 s of 150 s',
        'still waiting for the sun: 120 s of 150 s',
        'timed out after 150 s waiting for the sun',
      ],
      status: 1,
    },
    {
      name: 'returns as soon as the condition is met',
      command: "wait_until 'the sun' 600 30 eval '((++tries > 2))'",
      want: ['waiting for the sun, at most 600 s', 'still waiting for the sun: 60 s of 600 s'].slice(0, 1),
      status: 0,
    },
  ];

  test.each(waits)('wait_until $name', ({ command, want, status }) => {
    const run = scratchNode().runLines(['sno-common'], `tries=0\n${command}`);
    expect(run).toEqual({ status, stdout: '', stderr: want.map((line) => `${line}\n`).join('') });
  });

  test('wait_until measures uptime, independent of the clock', () => {
    const node = scratchNode();
    const jump = `jump() { echo 4102444800 >"\${STUB}/answers/clock"; return 1; }`;

    const { stderr } = node.runLines(['sno-common'], `${jump}; wait_until 'the sun' 60 30 jump || true`);

    expect(stderr).toBe('waiting for the sun, at most 60 s\ntimed out after 60 s waiting for the sun\n');
    expect(node.calls('sleep')).toHaveLength(2);
  });

  test('announce_issue escapes the commands of the login prompt', () => {
    const node = scratchNode();

    node.runLines(
      ['sno-common'],
      "announce_issue 50_example 'C:\\n of 2'; announce_issue 50_example 'C:\\n of 2'",
    );
    const shown = node.read('etc/issue.d/50_example.issue');
    node.runLines(['sno-common'], 'clear_issue 50_example; clear_issue 50_example');

    expect(shown).toBe('\\e{lightred}C:\\\\n of 2\\e{reset}\n');
    expect(node.list('etc/issue.d')).toEqual([]);
    expect(node.calls('agetty')).toHaveLength(2);
  });
});

describeWith(['bash', 'jq'], 'release-image.sh', () => {
  test('reads each file of the payload with one container', () => {
    const node = scratchNode({ minor: 18 });

    const run = node.runLines(
      ['sno-common'],
      `release_pull_spec
       image_for etcd
       image_for pod
       release_version
       kubernetes_version
       payload_has etcd && echo 'has etcd'
       payload_has nothing || echo 'has no such image'
       for least in '4 17' '4 18' '4 19' '3 99' '5 0'; do
         if release_at_least \${least}; then echo "at least \${least}"; fi
       done`,
    );

    expect(run).toEqual({
      status: 0,
      stdout: [
        releaseDigest,
        'example.com/ocp/etcd:test',
        'example.com/ocp/pod:test',
        '4.18.3',
        '1.31.6',
        'has etcd',
        'has no such image',
        'at least 4 17',
        'at least 4 18',
        'at least 3 99',
        '',
      ].join('\n'),
      stderr: '',
    });
    expect(node.calls('podman').map(([, ...words]) => words.at(-1))).toEqual([
      releaseImage,
      '/release-manifests/image-references',
      '/release-manifests/release-metadata',
    ]);
  });

  test('uses the pull spec as given when no digest is known', () => {
    const node = scratchNode();
    node.answer('inspect', '[{"Digest":"sha256:cccc","RepoDigests":[]}]');

    expect(node.runLines(['sno-common'], 'release_pull_spec')).toEqual({
      status: 0,
      stdout: `${releaseImage}\n`,
      stderr: `the digest of ${releaseImage} is not known here: it is used as it was given\n`,
    });
  });

  test.each(['not JSON', '', '[]', '{} {}'])(
    'rejects an image with %j as payload, and removes its files',
    (text) => {
      const node = scratchNode();
      node.answerPayload('image-references', text);

      const { status, stderr } = node.runLines(['sno-common'], 'image_for etcd');

      expect(status).toBe(1);
      expect(stderr).toContain(`cannot read image-references of the release payload ${releaseDigest}\n`);
      expect(node.list('run/sno-install')).toEqual(['release-image']);
    },
  );
});
