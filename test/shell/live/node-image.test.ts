import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { describeWith } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';
import { scratchNode, type NodeSetup, type ScratchNode } from '../support/scratch-node.js';

const repository = '--repo=/var/ostreecontainer/repo';
const pulledRef = 'ostree/container/image/docker_3A__2F__2F_example.com/ocp/rhel-coreos_3A_test';

describeWith(['bash', 'jq'], 'node-image-pull.sh', () => {
  test('extracts the image into its own repository, and keeps the files of sno-install in /etc', () => {
    const node = liveNode();
    node.write('ostree/repo/refs/heads/ostree/container/layer', '');
    node.answer('ostree', `other/ref\n${pulledRef}\nM    motd\nA    with blank\n`);

    expect(node.run('node-image-pull.sh').status).toBe(0);

    const skipList =
      node
        .calls('ostree')
        .at(-1)
        ?.find((word) => word.startsWith('--skip-list=')) ?? '';
    expect(node.calls('ostree')).toEqual([
      ['ostree', 'init', '--mode=bare', repository],
      ['ostree', 'pull-local', repository, '/ostree/repo'],
      [
        'ostree',
        'container',
        'image',
        'pull',
        '--authfile=/root/.docker/config.json',
        '/var/ostreecontainer/repo',
        'ostree-unverified-image:docker://example.com/ocp/rhel-coreos:test',
      ],
      ['ostree', 'refs', repository],
      ['ostree', 'refs', repository, '--force', pulledRef, '--create=coreos/node-image'],
      ['ostree', 'admin', 'config-diff'],
      ['ostree', 'checkout', repository, skipList, 'coreos/node-image', '/var/ostreecontainer/checkout'],
    ]);
    expect(node.given('ostree')).toBe('/usr/etc/motd\n/usr/etc/with blank\n');
    expect(node.calls('mount')).toEqual([
      ['mount', '--options=bind,ro', '/etc', '/ostree/deploy/rhcos/deploy/abc.0/etc'],
    ]);
    expect(existsSync(join(node.root, 'var/ostreecontainer/repo'))).toBe(false);
    expect(node.has('opt/openshift/node-image-pull.done')).toBe(true);
  });

  const images: readonly { name: string; setup: NodeSetup; keys: readonly string[]; want: string }[] = [
    { name: 'OKD', setup: {}, keys: ['stream-coreos'], want: 'stream-coreos' },
    {
      name: 'the stream of RHEL 10',
      setup: { variables: { SNO_OS_IMAGE_STREAM: 'rhel-10' } },
      keys: ['rhel-coreos-10'],
      want: 'rhel-coreos-10',
    },
    { name: 'the stream of RHEL 9', setup: {}, keys: ['rhel-coreos-10'], want: 'rhel-coreos' },
  ];

  test.each(images)('uses the image of $name', ({ setup, keys, want }) => {
    const node = liveNode(setup);
    for (const key of keys) node.withImage(key);

    node.run('node-image-pull.sh');

    const pull = node.calls('ostree').find((call) => call.includes('pull'));
    expect(pull?.at(-1)).toBe(`ostree-unverified-image:docker://example.com/ocp/${want}:test`);
  });

  test('retries for an hour, then starts from the beginning', () => {
    const node = liveNode();
    node.fail('ostree-pull', 'always');
    node.hasten(20);

    const { status, stderr } = node.run('node-image-pull.sh');

    expect(status).toBe(1);
    expect(stderr).toContain(
      'timed out after 3600 s waiting for the operating system image example.com/ocp/rhel-coreos:test to be pulled\n',
    );
    expect(node.has('opt/openshift/node-image-pull.done')).toBe(false);
  });

  const refused: readonly { name: string; given: (node: ScratchNode) => void; want: string }[] = [
    {
      name: 'two pulled images',
      given: (node) => {
        node.answer('ostree', `${pulledRef}\n${pulledRef}2\n`);
      },
      want: `exactly one pulled image is expected in /var/ostreecontainer/repo, found: ${pulledRef}\n${pulledRef}2\n`,
    },
    {
      name: 'two deployments',
      given: (node) => {
        node.write('ostree/deploy/rhcos/deploy/def.1/etc/passwd', '');
      },
      want: 'exactly one deployment is expected, found: /ostree/deploy/rhcos/deploy/abc.0/etc /ostree/deploy/rhcos/deploy/def.1/etc\n',
    },
    {
      name: 'a system that is not live',
      given: (node) => {
        node.remove('run/ostree-live');
      },
      want: 'this is not a live system: its operating system is not covered\n',
    },
  ];

  test.each(refused)('refuses $name', ({ given, want }) => {
    const node = liveNode();
    given(node);

    const { status, stderr } = node.run('node-image-pull.sh');

    expect(status).toBe(1);
    expect(stderr).toContain(want);
  });
});

describeWith(['bash', 'jq'], 'node-image-overlay.sh', () => {
  const checkout = '/var/ostreecontainer/checkout';
  const mounts = [
    ['mount', '--options=bind,ro', '/usr/lib/modules', `${checkout}/usr/lib/modules`],
    ['mount', '--options=rbind,ro', `${checkout}/usr`, '/usr'],
  ];

  test('overlays /usr, keeps the modules, merges /etc and loads the policy, only once', () => {
    const node = liveNode();
    node.write('opt/openshift/node-image-pull.done', '');

    expect([node.run('node-image-overlay.sh').status, node.run('node-image-overlay.sh').status]).toEqual([
      0, 0,
    ]);

    expect(node.calls('mount')).toEqual(mounts);
    expect(node.calls('rsync')).toEqual([['rsync', '--archive', `${checkout}/usr/etc/`, '/etc/']]);
    expect(node.calls('semodule')).toEqual([['semodule', '--reload']]);
  });

  test('continues at the failed step', () => {
    const node = liveNode();
    node.write('opt/openshift/node-image-pull.done', '');
    node.fail('rsync', 1);

    expect([node.run('node-image-overlay.sh').status, node.run('node-image-overlay.sh').status]).toEqual([
      1, 0,
    ]);
    expect(node.calls('mount')).toEqual(mounts);
  });

  test('does not change the crypto policies with FIPS', () => {
    const node = liveNode({ variables: { SNO_FIPS: '1' } });
    node.write('opt/openshift/node-image-pull.done', '');

    node.run('node-image-overlay.sh');

    expect(node.calls('rsync')).toEqual([
      ['rsync', '--archive', '--exclude=/crypto-policies', `${checkout}/usr/etc/`, '/etc/'],
    ]);
  });

  test('waits for the image, with a limit', () => {
    const node = liveNode();
    node.hasten(100);

    const { status, stderr } = node.run('node-image-overlay.sh');

    expect(status).toBe(1);
    expect(stderr).toContain(
      'timed out after 3900 s waiting for the operating system image (see: journalctl --unit node-image-pull)\n',
    );
    expect(node.calls('mount')).toEqual([]);
  });
});

describeWith(['bash'], 'node-image-overlay-generator', () => {
  const generator = 'templates/live/etc/systemd/system-generators/node-image-overlay-generator';
  const cases: readonly { name: string; programs: readonly string[]; redirects: boolean }[] = [
    {
      name: 'a system with the programs of OpenShift boots without the overlay',
      programs: ['kubelet', 'crio', 'oc'],
      redirects: false,
    },
    { name: 'a system with none of them gets the overlay', programs: [], redirects: true },
    { name: 'a system without one of them gets the overlay', programs: ['kubelet', 'crio'], redirects: true },
  ];

  test.each(cases)('$name', ({ programs, redirects }) => {
    const root = scratchFolder();
    for (const folder of ['usr/bin', 'early']) mkdirSync(join(root, folder), { recursive: true });
    for (const name of programs) {
      writeFileSync(join(root, 'usr/bin', name), '');
      chmodSync(join(root, 'usr/bin', name), 0o755);
    }
    const folders = ['normal', 'early', 'late'].map((name) => join(root, name));

    const { status } = spawnSync('bash', [generator, ...folders], {
      env: { PATH: '/usr/bin:/bin', SNO_ROOT: root },
    });

    expect(status).toBe(0);
    const link = join(root, 'early/default.target');
    const target = redirects ? readlinkSync(link) : undefined;
    expect(target).toBe(redirects ? join(root, 'etc/systemd/system/node-image-overlay.target') : undefined);
  });
});

/** A node booted from an ISO. Its ostree repository contains one deployment. */
function liveNode(setup: NodeSetup = {}): ScratchNode {
  const node = scratchNode(setup);
  node.write('run/ostree-live', '');
  node.write('ostree/deploy/rhcos/deploy/abc.0/etc/passwd', '');
  node.answer('ostree', `${pulledRef}\n`);
  return node;
}
