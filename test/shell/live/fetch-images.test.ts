import { expect, test } from 'vitest';

import { imageKeys } from '../../../src/assets/control-plane/inputs.js';
import { templatesFrom } from '../../../src/disk/program-files/templates.js';
import { scriptsByImage } from '../../../src/node/first-boot-images.js';
import { describeWith } from '../../support/programs.js';
import { bootstrapNode, stages } from '../support/bootkube.js';
import { payloadImages } from '../support/payload.js';
import { scratchNode, type ScratchNode } from '../support/scratch-node.js';

/** Of 4.21, in the order of the stages that use them. */
const ofRelease = [
  'cluster-config-api',
  'cluster-authentication-operator',
  'cluster-config-operator',
  'cluster-etcd-operator',
  'pod',
  'etcd',
  'cluster-kube-apiserver-operator',
  'cluster-kube-controller-manager-operator',
  'cluster-kube-scheduler-operator',
  'cluster-ingress-operator',
  'cluster-node-tuning-operator',
  'machine-config-operator',
  'cloud-credential-operator',
  'cluster-bootstrap',
  'hyperkube',
  'cluster-policy-controller',
];

const ofInstaller = [
  ...ofRelease.filter(
    (key) => !/^cluster-kube-(?:apiserver|controller-manager|scheduler)-operator$/.test(key),
  ),
  'cluster-kube-apiserver-operator',
];

const keyOf = (image = '') => /([^/]*):test$/.exec(image)?.[1] ?? image;

/** Keys of the pulled images, in the order of the pulls. */
const pulled = (node: ScratchNode) =>
  node.calls('podman').flatMap((call) => (call[1] === 'pull' ? [keyOf(call.at(-1))] : []));

const sorted = (keys: readonly string[]) => keys.toSorted();

/** Starts the service in the background, with pulls that end one by one. `next` reads the next pull into ${key}; `end KEY` ends it. */
const gated = `
  mkfifo "\${STUB}/begun"
  exec 7<>"\${STUB}/begun"
  next() { read -r key <&7; }
  end() { echo >"\${STUB}/gate-\${1}"; }
  setsid "\${SNO_BIN_DIR}/sno-fetch-images.sh" >/dev/null 2>&1 &
  service="\${!}"
  stop() { while pkill --signal KILL --runstates RSD --session "\${service}"; do :; done; }
`;

describeWith(['bash', 'jq', 'flock'], 'sno-fetch-images.sh', () => {
  test.each([
    { render: 'Release', want: ofRelease },
    { render: 'Installer', want: ofInstaller },
  ])('pulls all images of bootkube with $render', ({ render, want }) => {
    const node = scratchNode({ variables: { SNO_RENDER: render } });

    const { status } = node.run('sno-fetch-images.sh');

    expect(status).toBe(0);
    expect(sorted(pulled(node))).toEqual(sorted(want));
    expect(node.entries('sno-fetch-images')).toEqual([
      { phase: 'service start' },
      { phase: 'stage start', stage: 'wait-for-release-image' },
      { phase: 'stage end', stage: 'wait-for-release-image', result: 'success' },
      { phase: 'stage start', stage: 'fetch-images' },
      { phase: 'stage end', stage: 'fetch-images', result: 'success' },
      { phase: 'service end', result: 'success' },
    ]);
  });

  test('runs three pulls at a time, in the order of the stages', () => {
    const node = scratchNode();
    const { status, stdout } = node.runLines(
      ['sno-common'],
      `${gated}
      running=()
      for ((count = 1; count <= ${ofRelease.length}; count++)); do
        if ((\${#running[@]} == 3)); then
          end "\${running[0]}"
          running=("\${running[@]:1}")
        fi
        next
        echo "\${key}"
        running+=("\${key}")
      done
      for key in "\${running[@]}"; do end "\${key}"; done
      wait "\${service}"`,
    );

    expect(status).toBe(0);
    const begun = stdout.trim().split('\n');
    expect(sorted(begun.slice(0, 3))).toEqual(sorted(ofRelease.slice(0, 3)));
    expect(begun.slice(3)).toEqual(ofRelease.slice(3));
  });

  test('pulls nothing if all images exist', () => {
    const node = scratchNode();
    for (const key of payloadImages(21)) node.hold(key);

    expect(node.run('sno-fetch-images.sh').status).toBe(0);
    expect(pulled(node)).toEqual([]);
  });

  test('omits images that the release does not have', () => {
    const node = scratchNode({ minor: 14 });

    expect(node.run('sno-fetch-images.sh').status).toBe(0);
    expect(sorted(pulled(node))).toEqual(sorted(ofRelease.filter((key) => key !== 'cluster-config-api')));
  });

  test('stops if the release image never arrives, so that systemd starts it again', () => {
    const node = scratchNode();
    node.drop('release');
    node.hasten(100);

    const { status, stderr } = node.run('sno-fetch-images.sh');

    expect(status).toBe(1);
    expect(stderr).toContain(
      'timed out after 3900 s waiting for the release payload (see: journalctl --unit release-image)\n',
    );
    expect(pulled(node)).toEqual([]);
  });

  test('tries again after a failed pull, and succeeds', () => {
    const node = scratchNode();
    node.fail('pull-cluster-config-operator', 1);

    const { status, stderr } = node.run('sno-fetch-images.sh');

    expect(status).toBe(0);
    expect(stderr).toContain(
      'example.com/ocp/cluster-config-operator:test is not pulled ahead: Error: initializing source docker://example.com/ocp/cluster-config-operator:test: pinging container registry: i/o timeout\n',
    );
    expect(node.calls('sleep')).toEqual([['sleep', '60']]);
    expect(sorted([...new Set(pulled(node))])).toEqual(sorted(ofRelease));
  });

  test('is no failure if the registry is down', () => {
    const node = scratchNode();
    for (const key of ofRelease) node.fail(`pull-${key}`, 'always');

    const { status, stderr } = node.run('sno-fetch-images.sh');

    expect(status).toBe(0);
    expect(node.calls('sleep')).toEqual(Array.from({ length: 4 }, () => ['sleep', '60']));
    expect(stderr.split('\n').at(-2)).toBe(
      'no more images are pulled ahead: the stages of bootkube pull those that are missing',
    );
  });

  // Texts of podman 4.3.1 for an answer 429 to requests of a manifest, with and without an error as JSON, and of a blob; and for ENOSPC,
  // github.com/containers/podman issue 7351.
  test.each([
    'Error: initializing source docker://example.com/a: reading manifest 1 in example.com/a: toomanyrequests: rate exceeded',
    'Error: initializing source docker://example.com/a: reading manifest 1 in example.com/a: StatusCode: 429, slow down',
    'Error: parsing image configuration: too many requests to registry',
    'Error: writing blob: storing blob to file "/var/tmp/storage449462969/19": write /var/tmp/storage449462969/19: no space left on device',
  ])('ends after %s', (reason) => {
    const node = scratchNode();
    for (const key of ofRelease) {
      node.fail(`pull-${key}`, 'always');
      node.answer(`pull-${key}`, `level=warning msg="Failed, retrying in 1s"\n${reason}\n`);
    }

    const { status, stderr } = node.run('sno-fetch-images.sh');

    expect(status).toBe(0);
    expect(stderr).toContain(`example.com/ocp/cluster-config-api:test is not pulled ahead: ${reason}\n`);
    expect(stderr.split('\n').at(-2)).toBe(
      'no more images are pulled ahead: the stages of bootkube pull those that are missing',
    );
    expect(node.calls('sleep')).toEqual([]);
    expect(pulled(node).filter((key) => !ofRelease.slice(0, 3).includes(key))).toEqual([]);
  });

  // 2 GiB for the next pull, and a quarter stays free.
  const memory: readonly { name: string; answers: Readonly<Record<string, string>>; pulls: boolean }[] = [
    { name: 'enough', answers: { meminfo: memoryOf(16_777_216, 6_291_456) }, pulls: true },
    { name: 'too little memory', answers: { meminfo: memoryOf(16_777_216, 6_291_455) }, pulls: false },
    { name: 'enough storage', answers: { df: spaceOf(8_388_608, 4_194_304) }, pulls: true },
    { name: 'too little storage', answers: { df: spaceOf(8_388_608, 4_194_303) }, pulls: false },
    { name: 'no readable storage', answers: { df: '' }, pulls: false },
  ];

  test.each(memory)('with $name, it pulls: $pulls', ({ answers, pulls }) => {
    const node = scratchNode();
    node.hasten(100);
    for (const [name, text] of Object.entries(answers)) node.answer(name, text);

    const { status, stderr } = node.run('sno-fetch-images.sh');

    expect(status).toBe(0);
    expect(sorted(pulled(node))).toEqual(pulls ? sorted(ofRelease) : []);
    expect(
      stderr.includes(
        'timed out after 3600 s waiting for memory for example.com/ocp/cluster-config-api:test\n',
      ),
    ).toBe(!pulls);
  });
});

function memoryOf(totalKib: number, availableKib: number): string {
  return `MemTotal:       ${totalKib} kB\nMemFree:         1000000 kB\nMemAvailable:   ${availableKib} kB\n`;
}

function spaceOf(sizeKib: number, freeKib: number): string {
  return `1K-blocks    Avail\n ${sizeKib} ${freeKib}\n`;
}

describeWith(['bash', 'jq', 'flock', 'setsid'], 'a stage whose image is being pulled ahead', () => {
  const stage = 'pull_image example.com/ocp/cluster-config-api:test 3600 2>&1';
  const wait = 'waiting for the running pull of example.com/ocp/cluster-config-api:test, at most 3600 s';
  /** Reads the pulls until the first one. */
  const firstPull = 'until [[ "${key:-}" == cluster-config-api ]]; do next; done';

  test('waits for that pull', () => {
    const node = scratchNode();
    const { status, stdout } = node.runLines(
      ['sno-common'],
      `${gated}${firstPull}
      exec 8< <(${stage})
      read -r line <&8
      echo "\${line}"
      end cluster-config-api
      cat <&8
      stop`,
    );

    expect({ status, stdout }).toEqual({ status: 0, stdout: `${wait}\n` });
    expect(pulled(node).filter((key) => key === 'cluster-config-api')).toHaveLength(1);
  });

  test('pulls it if that pull fails', () => {
    const node = scratchNode();
    node.fail('pull-cluster-config-api', 1);
    const { status, stdout } = node.runLines(
      ['sno-common'],
      `${gated}${firstPull}
      exec 8< <(${stage})
      read -r line <&8
      echo "\${line}"
      rm "\${STUB}/begun"
      end cluster-config-api
      cat <&8
      stop`,
    );

    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: `${wait}\npulling example.com/ocp/cluster-config-api:test, for at most 3600 s\n`,
    });
    expect(pulled(node).filter((key) => key === 'cluster-config-api')).toHaveLength(2);
  });

  test('pulls it if the service is killed', () => {
    const node = scratchNode();
    const { status, stdout } = node.runLines(
      ['sno-common'],
      `${gated}${firstPull}
      exec 8< <(${stage})
      read -r line <&8
      echo "\${line}"
      rm "\${STUB}/begun"
      stop
      cat <&8`,
    );

    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: `${wait}\npulling example.com/ocp/cluster-config-api:test, for at most 3600 s\n`,
    });
  });

  test('waits for podman if only the script is killed', () => {
    const node = scratchNode();
    const { status, stdout } = node.runLines(
      ['sno-common'],
      `${gated}${firstPull}
      kill -KILL "\${service}"
      exec 8< <(${stage})
      read -r line <&8
      echo "\${line}"
      end cluster-config-api
      cat <&8
      stop`,
    );

    expect({ status, stdout }).toEqual({ status: 0, stdout: `${wait}\n` });
    expect(pulled(node).filter((key) => key === 'cluster-config-api')).toHaveLength(1);
  });

  test('a service that is started again pulls only the missing images', () => {
    const node = scratchNode();
    node.runLines(
      ['sno-common'],
      `${gated}${firstPull}
      end cluster-config-api
      next
      stop
      rm "\${STUB}/begun"`,
    );
    const before = pulled(node).length;

    expect(node.run('sno-fetch-images.sh').status).toBe(0);
    const again = pulled(node).slice(before);
    expect(again).not.toContain('cluster-config-api');
    expect(sorted([...again, 'cluster-config-api'])).toEqual(sorted(ofRelease));
  });

  test('skips an image that a stage is pulling', () => {
    const node = scratchNode();
    const { status } = node.runLines(
      ['sno-common'],
      `open_lock example.com/ocp/etcd:test
      flock "\${lock}"
      "\${SNO_BIN_DIR}/sno-fetch-images.sh"`,
    );

    expect(status).toBe(0);
    expect(sorted(pulled(node))).toEqual(sorted(ofRelease.filter((key) => key !== 'etcd')));
  });
});

describeWith(['bash', 'jq', 'flock'], 'the stages of bootkube', () => {
  const listOf = (node: ScratchNode) => {
    const lines = node.runLines(['sno-common', 'bootkube-tools'], 'stage_images').stdout.trim().split('\n');
    return lines.map((line) => line.split(' ') as [stage: string, name: string]);
  };

  test.each([14, 19, 22])('pull the images of the list in its order in 4.%d', (minor) => {
    const node = bootstrapNode({ minor });

    expect(node.run('bootkube.sh').status).toBe(0);
    const listed = new Set(listOf(node).map(([, name]) => name));
    expect(pulled(node)).toEqual([...listed].filter((name) => payloadImages(minor).includes(name)));
  });

  test.each([
    { render: 'Release', want: ofRelease },
    { render: 'Installer', want: ofInstaller },
  ])('are listed in their order with $render', ({ render, want }) => {
    const list = listOf(scratchNode({ variables: { SNO_RENDER: render } }));

    expect([...new Set(list.map(([, name]) => name))]).toEqual(want);
    const listed = new Set(list.map(([stage]) => stage));
    expect([...listed]).toEqual(stages.filter((stage) => listed.has(stage)));
  });

  test('list every image of the payload that a script or a static pod uses, except the operating system', () => {
    const named = [...scriptsByImage(templatesFrom('templates')).keys(), ...imageKeys];
    const ofSystem = ['rhel-coreos', 'rhel-coreos-10', 'stream-coreos'];

    expect(sorted(ofRelease)).toEqual(sorted([...new Set(named)].filter((name) => !ofSystem.includes(name))));
    expect(imageKeys.filter((name) => !ofInstaller.includes(name))).toEqual([]);
  });
});
