import { nodeWithAllDoneBut } from '../../shell/support/bootkube.js';
import { nodeClock, releaseImage } from '../../shell/support/node-files.js';
import { scratchNode, type NodeSetup, type ScratchNode } from '../../shell/support/scratch-node.js';
import { keepJournal, runUnit, says, siteOf, type Incident, type Site } from './incident.js';

/** Runs the preflight checks of the machine. The installation continues whatever they find. */
export function look(change: (node: ScratchNode) => void, setup: NodeSetup = {}): () => Site {
  return () => {
    const node = scratchNode(setup);
    change(node);
    const site = siteOf(node);
    runUnit(site, 'sno-preflight', 'sno-preflight.sh');
    return site;
  };
}

/** A registry that answers like this for an hour. */
function pull(answer: string): () => Site {
  return () => {
    const node = scratchNode();
    node.drop('release');
    node.hasten(50);
    const site = siteOf(node);
    says(site, 'pull', answer);
    runUnit(site, 'release-image', 'release-image-download.sh');
    return site;
  };
}

/** Runs bootkube with all stages done except the given one. */
function bootkube(
  stage: string,
  change: (node: ScratchNode, site: Site) => void,
  setup: NodeSetup = {},
): () => Site {
  return () => {
    const node = nodeWithAllDoneBut([stage], setup);
    node.hasten(100);
    const site = siteOf(node);
    change(node, site);
    runUnit(site, 'bootkube', 'bootkube.sh');
    return site;
  };
}

const docker = `Error: initializing source docker://${releaseImage}:`;
const registry = 'pinging container registry example.com: Get "https://example.com/v2/":';
const pulling = 'pull-release-image of release-image';
const cluster = 'cb-bootstrap of bootkube';
const waiting = 'wait-for-machine of bootkube';

/** Answers of a registry or proxy, or errors of podman, that an hour of pulls cannot pass. */
const refusedPulls: readonly (readonly [fault: string, answer: string])[] = [
  [
    'image-signature-missing',
    'Error: Source image rejected: A signature was required, but no signature exists',
  ],
  [
    'image-signature-invalid',
    'Error: Source image rejected: None of the signatures were accepted, reasons: a; b',
  ],
  [
    'image-rejected-by-policy',
    `Error: Source image rejected: Running image docker://${releaseImage} is rejected by policy.`,
  ],
  [
    'image-certificate-name',
    `${docker} ${registry} x509: certificate is valid for mirror.example.com, not example.com`,
  ],
  [
    'image-certificate-expired',
    `${docker} ${registry} x509: certificate has expired or is not yet valid: current time 2026-11-27T19:49:43Z is after 2021-01-01T00:00:00Z`,
  ],
  [
    'image-certificate-not-yet-valid',
    `${docker} ${registry} x509: certificate has expired or is not yet valid: current time 2026-11-27T19:49:43Z is before 2030-01-01T00:00:00Z`,
  ],
  [
    'image-certificate-unusable',
    `${docker} ${registry} x509: certificate specifies an incompatible key usage`,
  ],
  ['proxy-login', `${docker} ${registry} Proxy Authentication Required`],
  ['proxy-refuses-registry', `${docker} ${registry} Forbidden`],
  [
    'proxy-unreachable',
    `${docker} ${registry} proxyconnect tcp: dial tcp 192.0.2.1:3128: connect: connection refused`,
  ],
  ['registry-speaks-http', `${docker} ${registry} http: server gave HTTP response to HTTPS client`],
  [
    'registry-web-page',
    `Error: initializing image from source docker://${releaseImage}: invalid character '<' looking for beginning of value`,
  ],
  ['registry-rate-limit', `${docker} ${registry} too many requests to registry`],
  [
    'image-blob-refused',
    'Error: parsing image configuration: Error fetching blob: invalid status code from registry 403 (Forbidden)',
  ],
  [
    'image-architecture-missing',
    'Error: choosing image instance: no image found in image index for architecture "arm64", variant "v8", OS "linux"',
  ],
  [
    'registry-server-error',
    `${docker} reading manifest test in example.com/ocp/release: received unexpected HTTP status: 503 Service Unavailable`,
  ],
  [
    'registry-blocked',
    `${docker} registry example.com is blocked in /etc/containers/registries.conf or /etc/containers/registries.conf.d`,
  ],
  [
    'proxy-speaks-http',
    `${docker} ${registry} proxyconnect tcp: tls: first record does not look like a TLS handshake`,
  ],
  [
    'proxy-certificate',
    `${docker} ${registry} proxyconnect tcp: x509: certificate signed by unknown authority`,
  ],
  ['proxy-answers-otherwise', `${docker} ${registry} malformed HTTP response "\\x15\\x03\\x01"`],
  ['image-certificate-time', `${docker} ${registry} x509: certificate has expired or is not yet valid`],
  ['registry-tls-refused', `${docker} ${registry} remote error: tls: handshake failure`],
  ['pull-secret-unusable', `${docker} getting username and password: illegal base64 data at input byte 0`],
  [
    'registries-conf-unusable',
    'Error: loading registries configuration "/etc/containers/registries.conf": toml: line 3',
  ],
  [
    'signature-policy-unusable',
    'Error: invalid policy in "/etc/containers/policy.json": Default policy is missing',
  ],
  [
    'image-signature-unreadable',
    'Error: reading signatures: downloading signatures for sha256:a in b: StatusCode: 403, ""',
  ],
  [
    'image-blob-host-unreachable',
    'Error: parsing image configuration: Get "https://cdn03.quay.io/sha256/ab/abc": dial tcp: lookup cdn03.quay.io: no such host',
  ],
  ['image-blob-missing', 'Error: parsing image configuration: fetching blob: blob unknown to registry'],
  ['image-reference-invalid', 'Error: parsing reference "a@b@c": invalid reference format'],
  ['image-data-damaged', 'Error: writing blob: Digest did not match, expected sha256:a, got sha256:b'],
  ['image-storage-damaged', 'Error: copying system image from manifest list: writing blob: layer not known'],
  [
    'name-server-none',
    `${docker} ${registry} dial tcp: lookup example.com on [::1]:53: read udp [::1]:46964->[::1]:53: read: connection refused`,
  ],
  [
    'name-server-fails',
    `${docker} ${registry} dial tcp: lookup example.com on 192.0.2.53:53: server misbehaving`,
  ],
  [
    'registry-connection-cut',
    'Error: writing blob: storing blob to file "/var/tmp/a": happened during read: unexpected EOF',
  ],
  ['program-of-another-architecture', 'Error: exec container process `/bin/sh`: Exec format error'],
  ['memory-full', 'Error: adding layer: fork/exec /proc/self/exe: cannot allocate memory'],
];

/** Faults before the cluster's objects are created. */
export const liveIncidents: readonly Incident[] = [
  {
    name: 'a machine that lacks nothing',
    happen: look(() => undefined),
    verdict: 'in-progress',
    at: '',
    faults: [],
  },
  {
    name: 'the clock before the certificates',
    happen: look((node) => {
      node.answer('clock', String(nodeClock - 172_800));
      node.hasten(20);
    }),
    at: 'clock of sno-preflight',
    faults: ['clock-before-certificates'],
  },
  {
    name: 'the clock after the certificates',
    happen: look((node) => {
      node.answer('clock', String(nodeClock + 172_800));
      node.hasten(20);
    }),
    at: 'clock of sno-preflight',
    faults: ['clock-after-certificates'],
  },
  {
    name: 'little memory, another disk, no name of its own, api-int elsewhere, no other name',
    happen: look(
      (node) => {
        node.answer('meminfo', 'MemTotal:       12288000 kB\n');
        node.answer('hostname', 'localhost\n');
        for (const name of ['api', 'console-openshift-console.apps'])
          node.answer(`getent-ahosts-${name}.sno.example.com`, '');
        node.answer('getent-ahosts-api-int.sno.example.com', '10.9.9.9 STREAM\n');
      },
      { variables: { SNO_INSTALLATION_DISK: '/dev/disk/by-id/other' } },
    ),
    verdict: 'will-fail',
    at: '',
    faults: ['hostname-localhost', 'memory-too-small', 'api-int-elsewhere', 'disk-missing'],
    notes: ['dns-names'],
  },
  {
    name: 'a host name and an address other than configured',
    happen: look(() => undefined, { variables: { SNO_HOSTNAME: 'sno-1', SNO_NODE_IP: '192.168.126.11' } }),
    verdict: 'will-fail',
    at: '',
    faults: ['hostname-differs', 'address-outside-network'],
  },
  {
    name: 'a registry that refuses the pull secret',
    happen: pull(
      `${docker} reading manifest test in example.com/ocp/release: unauthorized: authentication required`,
    ),
    at: pulling,
    faults: ['image-not-authorised'],
  },
  {
    name: 'a registry with a certificate of its own CA',
    happen: pull(
      `${docker} ${registry} tls: failed to verify certificate: x509: certificate signed by unknown authority`,
    ),
    at: pulling,
    faults: ['image-certificate'],
  },
  {
    name: 'a release image that was never pushed',
    happen: pull(`${docker} reading manifest test in example.com/ocp/release: manifest unknown`),
    at: pulling,
    faults: ['image-not-found'],
  },
  {
    name: 'no route to the registry',
    happen: pull(`${docker} ${registry} dial tcp 192.0.2.1:443: connect: no route to host`),
    at: pulling,
    faults: ['registry-unreachable'],
  },
  {
    name: 'a registry that nobody knows, told on two lines',
    happen: pull(
      `Trying to pull ${releaseImage}...\n${docker} ${registry} dial tcp: lookup example.com: no such host`,
    ),
    at: pulling,
    faults: ['registry-name-unknown'],
  },
  ...refusedPulls.map(([fault, answer]) => ({
    name: `a pull with ${fault}`,
    happen: pull(answer),
    at: pulling,
    faults: [fault],
  })),
  {
    name: 'a full /var',
    happen: pull(
      'Error: writing blob: storing blob to file "/var/tmp/storage1/2": write: no space left on device',
    ),
    at: pulling,
    faults: ['storage-full'],
  },
  {
    name: 'a pull that fails for a reason nobody thought of',
    happen: pull('Error: something that no program said before'),
    at: pulling,
    faults: ['image-not-pulled'],
  },
  {
    name: 'a release image of another architecture',
    happen: () => {
      const node = scratchNode();
      node.answer('architecture', 'arm64\n');
      node.answer(
        'systemctl',
        'release-image.service loaded failed failed Pull the OpenShift release payload\n',
      );
      const site = siteOf(node);
      runUnit(site, 'release-image', 'release-image-download.sh');
      return site;
    },
    at: 'image-metadata-arches-match of release-image',
    faults: ['architecture-mismatch'],
  },
  {
    name: 'an install-config for another architecture',
    happen: () => {
      const site = siteOf(scratchNode({ variables: { SNO_EXPECTED_ARCH: 'arm64' } }));
      runUnit(site, 'release-image', 'release-image-download.sh');
      return site;
    },
    at: 'image-metadata-arches-match of release-image',
    faults: ['architecture-mismatch'],
  },
  {
    name: 'a machine that was booted from a disk',
    happen: () => {
      const site = siteOf(scratchNode());
      runUnit(site, 'node-image-pull', 'node-image-pull.sh');
      return site;
    },
    at: 'node-image-pull of node-image-pull',
    faults: ['not-a-live-system'],
  },
  {
    name: 'an operating system image that the mirror lacks',
    happen: () => {
      const node = scratchNode();
      node.write('run/ostree-live', '');
      node.fail('ostree-pull', 'always');
      node.hasten(300);
      const site = siteOf(node);
      runUnit(site, 'node-image-pull', 'node-image-pull.sh');
      return site;
    },
    at: 'node-image-pull of node-image-pull',
    faults: ['operating-system-image'],
  },
  {
    name: 'a release image that does not come',
    happen: bootkube('cco-bootstrap', (node) => {
      node.drop('release');
    }),
    at: waiting,
    faults: ['release-image-absent'],
  },
  {
    name: 'CRI-O that does not run',
    happen: bootkube('cco-bootstrap', (node) => {
      node.fail('systemctl-is-active', 'always');
    }),
    at: waiting,
    faults: ['container-runtime-down'],
  },
  {
    name: 'a kubelet that refuses its configuration',
    happen: () => {
      const site = bootkube('cco-bootstrap', (node) => {
        node.fail('systemctl-is-active', 'always');
      })();
      const line =
        'E0102 03:04:05.000000 1 run.go:74] "command failed" err="failed to load kubelet config file"';
      keepJournal(site, 'kubelet', line, 30);
      return site;
    },
    at: waiting,
    faults: ['kubelet-does-not-start', 'container-runtime-down'],
  },
  {
    name: 'CRI-O that refuses its configuration',
    happen: () => {
      const site = bootkube('cco-bootstrap', (node) => {
        node.fail('systemctl-is-active', 'always');
      })();
      keepJournal(
        site,
        'crio',
        'time="2026-01-02" level=fatal msg="validating runtime config: no runtime"',
        30,
      );
      return site;
    },
    at: waiting,
    faults: ['crio-does-not-start', 'container-runtime-down'],
  },
  {
    name: 'no host name while bootkube waits',
    happen: bootkube('cco-bootstrap', (node) => {
      node.answer('hostname', 'localhost.localdomain\n');
    }),
    at: waiting,
    faults: ['hostname-localhost'],
  },
  {
    name: 'no address in machineNetwork while bootkube waits',
    happen: bootkube('cco-bootstrap', (node) => {
      node.answer('ip-192.168.126.0/24', '');
    }),
    at: waiting,
    faults: ['address-outside-network'],
  },
  {
    name: 'a tool that lost a flag',
    happen: bootkube('etcd-bootstrap', (node) => {
      node.forget('cluster-etcd-operator-cluster-etcd-operator-render', '--etcd-image');
    }),
    at: 'etcd-bootstrap of bootkube',
    faults: ['tool-flag-unknown'],
  },
  {
    name: 'a tool that cannot be started',
    happen: bootkube('cco-bootstrap', (node) => {
      node.fail('help-cloud-credential-operator-render', 'always');
    }),
    at: 'cco-bootstrap of bootkube',
    faults: ['tool-does-not-start'],
  },
  {
    name: 'a MachineConfig that its operator refuses',
    happen: () => {
      const site = bootkube('mco-bootstrap', (node) => {
        node.fail('machine-config-operator-bootstrap', 'always');
      })();
      const line =
        'F0102 03:04:05.000000 1 bootstrap.go:175] error rendering bootstrap manifests: illegal base64';
      keepJournal(site, 'bootkube', line, 10);
      return site;
    },
    at: 'mco-bootstrap of bootkube',
    faults: ['machine-config-operator-refuses'],
  },
  {
    name: 'an image that is no release',
    happen: bootkube('cco-bootstrap', (node) => {
      node.withoutImage('cloud-credential-operator');
    }),
    at: 'cco-bootstrap of bootkube',
    faults: ['release-payload-incomplete'],
  },
  {
    name: 'a static pod that the installer should have rendered',
    happen: bootkube('kube-scheduler-bootstrap', () => undefined, { variables: { SNO_RENDER: 'Installer' } }),
    at: 'kube-scheduler-bootstrap of bootkube',
    faults: ['control-plane-files-missing'],
  },
  {
    name: 'a rendered control plane that asks for what nobody knows',
    happen: bootkube(
      'etcd-bootstrap',
      (node) => {
        node.write('opt/openshift/control-plane/etc-kubernetes/manifests/etcd-member-pod.yaml', '@@moon@@\n');
      },
      { variables: { SNO_RENDER: 'Installer' } },
    ),
    at: 'etcd-bootstrap of bootkube',
    faults: ['control-plane-not-filled'],
  },
  {
    name: 'a tool that fails for a reason of its own',
    happen: bootkube('kube-scheduler-bootstrap', (node) => {
      node.fail('cluster-kube-scheduler-operator-cluster-kube-scheduler-operator-render', 'always');
    }),
    at: 'kube-scheduler-bootstrap of bootkube',
    faults: [],
  },
  {
    name: 'kernel arguments that cannot be rendered',
    happen: bootkube('cmdbootline-nto-bootstrap', (node) => {
      node.fail('cluster-node-tuning-operator-render-bootcmd-mc', 'always');
    }),
    verdict: 'in-progress',
    at: '',
    faults: [],
    notes: ['kernel-arguments-left-out'],
  },
  {
    name: 'an etcd that does not become healthy',
    happen: bootkube('cb-bootstrap', (node) => {
      node.fail('etcd-etcdctl', 'always');
    }),
    at: 'wait-for-etcd of bootkube',
    faults: ['etcd-unhealthy'],
  },
  {
    name: 'a manifest of a kind that nobody brings',
    happen: bootkube('cb-bootstrap', (_node, site) => {
      says(
        site,
        'cluster-bootstrap',
        '[#9000] failed to create some manifests:\n"99_extra.yaml": unable to get REST mapping for "99_extra.yaml": no matches for kind "Widget"\nError: timed out creating manifests',
      );
    }),
    at: cluster,
    faults: ['manifest-never-created'],
  },
  {
    name: 'a manifest that cluster-bootstrap cannot load',
    happen: bootkube('cb-bootstrap', (node) => {
      node.answer(
        'load-failure',
        'Assert creation failed: failed to load some manifests:\n"99_list.yaml": unable to convert asset "99_list.yaml" to unstructured\n',
      );
    }),
    at: cluster,
    faults: ['manifests-not-loaded'],
  },
  {
    name: 'a manifest of which cluster-bootstrap says nothing',
    happen: bootkube('cb-bootstrap', (node) => {
      node.write('opt/openshift/manifests/99_lost.yaml', '{}');
      node.answer('never-created', '99_lost.yaml\n');
    }),
    at: cluster,
    faults: ['manifest-never-created'],
  },
  {
    name: 'an API server that stays away for minutes',
    happen: bootkube('cb-bootstrap', (_node, site) => {
      says(
        site,
        'cluster-bootstrap',
        'Still waiting for the Kubernetes API: Get "https://localhost:6443/readyz": dial tcp [::1]:6443: connect: connection refused\nError: time out waiting for Kubernetes API',
      );
    }),
    at: cluster,
    faults: ['bootstrap-api-absent'],
  },
  {
    name: 'a cluster-bootstrap that says nothing',
    happen: bootkube('cb-bootstrap', (node) => {
      node.fail('cluster-bootstrap-start', 'always');
    }),
    at: cluster,
    faults: ['cluster-bootstrap-failed'],
  },
  {
    name: 'a lost env file',
    happen: () => {
      const node = scratchNode();
      node.remove('opt/openshift/sno-install.env');
      const site = siteOf(node);
      runUnit(site, 'bootkube', 'bootkube.sh');
      keepJournal(site, 'release-image', 'a line of another unit');
      return site;
    },
    at: 'bootkube',
    faults: ['env-file-missing'],
  },
];
