import { expect, test } from 'vitest';

import { describeWith } from '../../support/programs.js';
import { scratchNode, type NodeSetup } from '../support/scratch-node.js';

describeWith(['bash', 'jq'], 'kubelet.sh', () => {
  const always = [
    '--anonymous-auth=false',
    '--read-only-port=0',
    '--container-runtime-endpoint=/var/run/crio/crio.sock',
    '--runtime-request-timeout=10m',
    '--pod-manifest-path=/etc/kubernetes/manifests',
    '--minimum-container-ttl-duration=6m0s',
    '--cluster-domain=cluster.local',
    '--cgroup-driver=systemd',
    '--serialize-image-pulls=false',
    '--volume-plugin-dir=/etc/kubernetes/kubelet-plugins/volume/exec',
    '--v=2',
  ];
  const cases: readonly { name: string; setup: NodeSetup; want: readonly string[] }[] = [
    { name: 'detects its address', setup: {}, want: [] },
    {
      name: "detects an IPv6 address if IPv6 is the cluster's first family",
      setup: { variables: { SNO_IP_FAMILY: '6' } },
      want: ['--node-ip=::'],
    },
    {
      name: 'uses the configured address',
      setup: { variables: { SNO_IP_FAMILY: '6', SNO_NODE_IP: 'fd2e::10' } },
      want: ['--node-ip=fd2e::10', '--address=fd2e::10'],
    },
  ];

  test.each(cases)('$name', ({ setup, want }) => {
    const node = scratchNode(setup);

    expect(node.run('kubelet.sh').status).toBe(0);
    expect(node.calls('kubelet')).toEqual([['kubelet', ...always, ...want]]);
  });

  test.each([
    {
      name: 'sets the pause image',
      help: '      --pod-infra-container-image string   for image collection\n',
      want: ['--pod-infra-container-image=example.com/pod'],
    },
    {
      name: 'does not set it for a kubelet without that flag',
      help: '      --pod-manifest-path string\n',
      want: [],
    },
  ])('$name', ({ help, want }) => {
    const node = scratchNode({ variables: { MACHINE_CONFIG_INFRA_IMAGE: 'example.com/pod' } });
    node.answer('kubelet', help);

    node.run('kubelet.sh');

    expect(node.calls('kubelet').at(-1)).toEqual(['kubelet', ...always, ...want]);
  });

  test('exits with the status of the kubelet', () => {
    const node = scratchNode();
    node.fail('kubelet', 'always');

    expect(node.run('kubelet.sh').status).toBe(1);
    expect(node.record('kubelet').at(-1)?.result).toBe('failure');
  });
});

describeWith(['bash', 'jq'], 'kubelet-pause-image.sh', () => {
  test('writes the environment file and records itself as a command before the service', () => {
    const node = scratchNode();

    expect(node.run('kubelet-pause-image.sh').status).toBe(0);

    expect(node.read('etc/kubernetes/kubelet-pause-image-override')).toBe(
      'MACHINE_CONFIG_INFRA_IMAGE=example.com/ocp/pod:test\n',
    );
    expect(node.entries('kubelet-pause-image')).toEqual([
      { phase: 'pre-command start', preCommand: 'kubelet-pause-image' },
      { phase: 'pre-command end', preCommand: 'kubelet-pause-image', result: 'success' },
    ]);
  });
});

describeWith(['bash', 'jq'], 'crio-configure.sh', () => {
  test('writes the pause image of the payload and lets a running CRI-O read it', () => {
    const node = scratchNode();

    expect(node.run('crio-configure.sh').status).toBe(0);

    expect(node.read('etc/crio/crio.conf.d/50-bootstrap-override.conf')).toBe(`[crio.runtime]
hooks_dir = [
  "/usr/share/containers/oci/hooks.d",
  "/etc/containers/oci/hooks.d",
]

[crio.image]
pause_image = "example.com/ocp/pod:test"
pause_command = "/usr/bin/pod"
`);
    expect(node.calls('systemctl')).toEqual([['systemctl', '--no-block', 'try-restart', 'crio.service']]);
  });

  test('fails while the payload is missing', () => {
    const node = scratchNode();
    node.drop('release');

    const { status, stderr } = node.run('crio-configure.sh');

    expect(status).toBe(1);
    expect(stderr).toContain('the release image example.com/ocp/release:test is not on this machine yet\n');
    expect(node.list('etc')).toEqual([]);
  });
});

describeWith(['bash'], 'chown-gatewayd-key.sh', () => {
  const chown = [
    'chown',
    'systemd-journal-gateway',
    '/opt/openshift/tls/journal-gatewayd.crt',
    '/opt/openshift/tls/journal-gatewayd.key',
  ];

  test('creates the missing user and makes it the owner of its key', () => {
    const node = scratchNode();

    expect(node.run('chown-gatewayd-key.sh').status).toBe(0);
    expect(node.calls('useradd').map((call) => call.at(-1))).toEqual(['systemd-journal-gateway']);
    expect(node.calls('chown')).toEqual([chown]);
  });

  test('does not change an existing user', () => {
    const node = scratchNode();
    node.answer(
      'getent-passwd-systemd-journal-gateway',
      'systemd-journal-gateway:x:191:191::/:/sbin/nologin\n',
    );

    node.run('chown-gatewayd-key.sh');

    expect([node.calls('useradd'), node.calls('chown')]).toEqual([[], [chown]]);
  });
});
