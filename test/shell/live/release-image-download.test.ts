import { expect, test } from 'vitest';

import { describeWith } from '../../support/programs.js';
import { releaseImage } from '../support/node-files.js';
import { scratchNode } from '../support/scratch-node.js';

const issue = 'etc/issue.d/50_release-image.issue';

describeWith(['bash', 'jq'], 'release-image-download.sh', () => {
  test('pulls a missing image', () => {
    const node = scratchNode();
    node.drop('release');

    expect(node.run('release-image-download.sh')).toEqual({
      status: 0,
      stdout: '',
      stderr: `stage pull-release-image\npulling ${releaseImage}, for at most 3600 s\nstage image-metadata-arches-match\n`,
    });
    expect(node.calls('podman')).toEqual([
      ['podman', 'image', 'exists', releaseImage],
      ['podman', 'pull', '--quiet', '--authfile', '/root/.docker/config.json', releaseImage],
      ['podman', 'image', 'inspect', '--format', '{{.Architecture}}', releaseImage],
    ]);
    expect(node.entries('release-image-download')).toEqual([
      { phase: 'service start' },
      { phase: 'stage start', stage: 'pull-release-image' },
      { phase: 'stage end', stage: 'pull-release-image', result: 'success' },
      { phase: 'stage start', stage: 'image-metadata-arches-match' },
      { phase: 'stage end', stage: 'image-metadata-arches-match', result: 'success' },
      { phase: 'service end', result: 'success' },
    ]);
  });

  test('does not pull an existing image', () => {
    const node = scratchNode();

    node.run('release-image-download.sh');

    expect(node.calls('podman').map(([, command]) => command)).toEqual(['image', 'image']);
  });

  test('retries with growing pauses, and clears the console notice after success', () => {
    const node = scratchNode();
    node.drop('release');
    node.fail('pull-release', 7);

    expect(node.run('release-image-download.sh').status).toBe(0);

    expect(node.calls('sleep')).toEqual(
      ['5', '10', '20', '40', '80', '120', '120'].map((seconds) => ['sleep', seconds]),
    );
    expect(node.has(issue)).toBe(false);
    // Once for the notice, which does not change between retries, and once when it is removed.
    expect(node.calls('agetty')).toEqual([
      ['agetty', '--reload'],
      ['agetty', '--reload'],
    ]);
  });

  test('gives up after an hour, with the reason on the console', () => {
    const node = scratchNode();
    node.drop('release');
    node.fail('pull-release', 'always');
    node.hasten(10);
    const reason = `Error: initializing source docker://${releaseImage}: pinging container registry: i/o timeout`;

    const { status, stderr } = node.run('release-image-download.sh');

    expect(status).toBe(1);
    expect(stderr).toContain(`timed out after 3600 s pulling ${releaseImage}: ${reason}\n`);
    expect(node.read(issue)).toBe(
      `\\e{lightred}The release image ${releaseImage} cannot be pulled: ${reason}\\e{reset}\n`,
    );
    const last = node.record('release-image-download').at(-1);
    expect([last?.phase, last?.result]).toEqual(['service end', 'failure']);
  });

  const mismatches: readonly {
    name: string;
    image: string;
    machine: string;
    expected: string;
    want: string;
  }[] = [
    {
      name: 'the payload is for another processor',
      image: 'arm64',
      machine: 'x86_64',
      expected: 'amd64',
      want: `The release image ${releaseImage} is for arm64, but this machine is amd64.`,
    },
    {
      name: 'the install-config names another processor',
      image: 'arm64',
      machine: 'aarch64',
      expected: 'amd64',
      want: 'install-config.yaml says controlPlane.architecture: amd64, but this machine is arm64.',
    },
  ];

  test.each(mismatches)('stops without retries when $name', ({ image, machine, expected, want }) => {
    const node = scratchNode({ variables: { SNO_EXPECTED_ARCH: expected } });
    node.answer('architecture', `${image}\n`);
    node.answer('uname', `${machine}\n`);

    const { status, stderr } = node.run('release-image-download.sh');

    expect(status).toBe(3);
    expect(stderr).toContain(`${want}\n`);
    expect(node.read(issue)).toBe(`\\e{lightred}${want}\\e{reset}\n`);
  });
});
