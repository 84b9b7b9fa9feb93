import { describe, expect, expectTypeOf, test } from 'vitest';

import { bootstrapInPlace } from '../../src/assets/config/bootstrap-in-place.js';
import { installConfig, redactedInstallConfig } from '../../src/assets/config/install-config.js';
import { release } from '../../src/assets/config/release.js';
import { snoConfig } from '../../src/assets/config/sno-config.js';
import { clusterDomain } from '../../src/config/cluster-domain.js';
import { problemsOf } from '../../src/core/result.js';
import installConfigFields from '#schemas/install-config' with { type: 'json' };
import snoConfigFields from '#schemas/sno-config' with { type: 'json' };
import type { InstallConfig, InstallConfigInput } from '../../src/config/schema/install-config-schema.js';
import type { FieldSchema } from '../../src/formats/field-schema.js';
import type { Asset } from '../../src/graph/asset.js';
import { resolve } from '../../src/graph/engine.js';
import { releases } from '../../src/release/releases.js';
import { testContext, type TestInputs } from '../support/context.js';
import { noArguments } from '../support/no-arguments.js';
import { edited, soundInstallConfig, soundSnoConfig, type Edit } from './sound-config.js';

const least = `apiVersion: v1
metadata: {name: sno}
baseDomain: example.com.
platform: {none: {}}
pullSecret: '{"auths":{"quay.io":{"auth":"dTpw"}}}'
`;

function filesOf(install: string, sno?: string): NonNullable<TestInputs['files']> {
  return { 'install-config.yaml': install, ...(sno !== undefined && { 'sno-config.yaml': sno }) };
}

async function made<T>(asset: Asset<T>, inputs: TestInputs): Promise<T> {
  const result = await resolve([asset], testContext(inputs));
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.value.valueOf(asset);
}

describe('the model of install-config.yaml', () => {
  test('contains the given values', async () => {
    const config = await made(installConfig, { files: filesOf(least) });
    expect(config).toMatchObject({ metadata: { name: 'sno' }, baseDomain: 'example.com' });
    expect(config.pullSecret.reveal()).toBe('{"auths":{"quay.io":{"auth":"dTpw"}}}');
    expect(clusterDomain(config)).toBe('sno.example.com');
  });

  test('has the defaults that the schema documents', async () => {
    const config = await made(installConfig, { files: filesOf(`${least}compute: [{name: worker}]\n`) });
    const documented = defaultsIn(installConfigFields).filter(
      ({ path }) =>
        path !== 'capabilities.additionalEnabledCapabilities' && !path.startsWith('platform.external.'),
    );
    expect(documented.map(({ path }) => ({ path, value: valueAt(config, path) }))).toMatchObject(documented);
    expect(config.capabilities).toBeUndefined();
  });

  test('accepts only fields of the schema', () => {
    type Given<K extends keyof InstallConfigInput> = NonNullable<InstallConfigInput[K]>;
    expectTypeOf<Exclude<keyof InstallConfig, keyof InstallConfigInput>>().toBeNever();
    expectTypeOf<InstallConfig['cpuPartitioningMode']>().toEqualTypeOf<Given<'cpuPartitioningMode'>>();
    expectTypeOf<InstallConfig['additionalTrustBundlePolicy']>().toEqualTypeOf<
      Given<'additionalTrustBundlePolicy'>
    >();
    expectTypeOf<InstallConfig['controlPlane']['architecture']>().toEqualTypeOf<
      NonNullable<Given<'controlPlane'>['architecture']>
    >();
    expectTypeOf<InstallConfig['controlPlane']['hyperthreading']>().toEqualTypeOf<
      NonNullable<Given<'controlPlane'>['hyperthreading']>
    >();
    expectTypeOf<NonNullable<InstallConfig['bootstrapInPlace']>['installationDisk']>().toEqualTypeOf<
      Given<'bootstrapInPlace'>['installationDisk']
    >();
    expectTypeOf<NonNullable<InstallConfig['imageDigestSources'][number]['sourcePolicy']>>().toEqualTypeOf<
      NonNullable<Given<'imageDigestSources'>[number]['sourcePolicy']>
    >();
  });

  const old =
    'networking:\n  type: ovnkubernetes\n  machineCIDR: 192.168.126.0/24\n  serviceCIDR: 172.31.0.0/16\n  clusterNetworks:\n  - cidr: 10.132.0.0/14\n    hostSubnetLength: 8\n';
  test.each<{ name: string; edits: readonly Edit[]; want: object }>([
    {
      name: 'old fields of networking',
      edits: [[/networking:\n(?: {2}.*\n)+/, old]],
      want: {
        networking: {
          networkType: 'OVNKubernetes',
          machineNetwork: [{ cidr: '192.168.126.0/24' }],
          serviceNetwork: ['172.31.0.0/16'],
          clusterNetwork: [{ cidr: '10.132.0.0/14', hostPrefix: 24 }],
        },
      },
    },
    {
      name: 'architecture of compute from controlPlane',
      edits: [['  replicas: 1', '  replicas: 1\n  architecture: arm64']],
      want: { compute: [{ architecture: 'arm64' }] },
    },
    {
      name: 'texts without quotes, letter by letter',
      edits: [['name: sno', 'name: 0042']],
      want: { metadata: { name: '0042' } },
    },
    {
      name: 'empty texts as not given',
      edits: [
        ['fips: false', "publish: ''\nfeatureSet: ''\nproxy: {httpProxy: http://p.example.com, noProxy: ''}"],
      ],
      want: { publish: 'External', featureSet: '', proxy: { httpProxy: 'http://p.example.com' } },
    },
    {
      name: 'several keys',
      edits: [[/sshKey: (ssh-.*)/, 'sshKey: |\n  $1\n\n  $1 b\n']],
      want: {
        sshKey: expect.stringMatching(/^ssh-ed25519 \S+ throwaway\nssh-ed25519 \S+ throwaway b$/) as string,
      },
    },
    {
      name: 'the join subnet',
      edits: [
        [
          '  networkType: OVNKubernetes',
          '  ovnKubernetesConfig: {ipv4: {internalJoinSubnet: 100.65.0.0/16}}',
        ],
      ],
      want: { networking: { ovnKubernetesConfig: { ipv4: { internalJoinSubnet: '100.65.0.0/16' } } } },
    },
    {
      name: 'capabilities',
      edits: [['fips: false', 'capabilities: {baselineCapabilitySet: vCurrent}']],
      want: { capabilities: { baselineCapabilitySet: 'vCurrent', additionalEnabledCapabilities: [] } },
    },
    {
      name: 'empty lists and texts as defaults',
      edits: [
        [/machineNetwork:\n {2}- cidr: .*/, 'machineNetwork: []'],
        [/clusterNetwork:\n.*\n.*/, 'clusterNetwork: []'],
        [/serviceNetwork:\n {2}- .*/, 'serviceNetwork: []'],
        ['networkType: OVNKubernetes', "networkType: ''"],
      ],
      want: {
        networking: {
          networkType: 'OVNKubernetes',
          machineNetwork: [{ cidr: '10.0.0.0/16' }],
          clusterNetwork: [{ cidr: '10.128.0.0/14', hostPrefix: 23 }],
          serviceNetwork: ['172.30.0.0/16'],
        },
      },
    },
    {
      name: "Go's booleans in feature gates",
      edits: [
        ['fips: false', 'featureSet: CustomNoUpgrade\nfeatureGates: [A=1, B=T, C=True, D=0, E=f, F=FALSE]'],
      ],
      want: { featureGates: ['A=true', 'B=true', 'C=true', 'D=false', 'E=false', 'F=false'] },
    },
    {
      name: 'tabs and comments among SSH keys',
      edits: [[/sshKey: (\S+) (\S+) .*/, 'sshKey: "# mine\\n\\t$1\\t $2\\tme\\there\\r\\n"']],
      want: {
        sshKey: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ5ialTiFcdXwCKUP4Zr7gO/zTKL/pikuBWWXvRMftkQ me here',
      },
    },
  ])('reads $name', async ({ edits, want }) => {
    expect(await made(installConfig, { files: filesOf(edited(soundInstallConfig, edits)) })).toMatchObject(
      want,
    );
  });
});

describe('redactedInstallConfig', () => {
  test('is the defaulted config with its pull secret emptied', async () => {
    const text = edited(soundInstallConfig, [
      ['  name: sno', '  name: sno\n  labels: {site: a}'],
      ['fips: false', 'fips: true'],
      [/sshKey: .*\n/, ''],
    ]);
    expect(await made(redactedInstallConfig, { files: filesOf(text) })).toEqual({
      apiVersion: 'v1',
      metadata: { name: 'sno', labels: { site: 'a' } },
      baseDomain: 'example.com',
      pullSecret: '',
      controlPlane: {
        name: 'master',
        replicas: 1,
        architecture: 'amd64',
        hyperthreading: 'Enabled',
        platform: {},
      },
      compute: [
        { name: 'worker', replicas: 0, architecture: 'amd64', hyperthreading: 'Enabled', platform: {} },
      ],
      networking: {
        networkType: 'OVNKubernetes',
        machineNetwork: [{ cidr: '192.168.126.0/24' }],
        clusterNetwork: [{ cidr: '10.128.0.0/14', hostPrefix: 23 }],
        serviceNetwork: ['172.30.0.0/16'],
      },
      platform: { none: {} },
      additionalTrustBundlePolicy: 'Proxyonly',
      publish: 'External',
      fips: true,
      cpuPartitioningMode: 'None',
      bootstrapInPlace: { installationDisk: '/dev/disk/by-id/wwn-0x5000c500a0b1c2d3' },
    });
  });
});

describe('bootstrapInPlace', () => {
  test('is the disk', async () => {
    expect(await made(bootstrapInPlace, { files: filesOf(soundInstallConfig) })).toEqual({
      installationDisk: '/dev/disk/by-id/wwn-0x5000c500a0b1c2d3',
    });
  });

  test.each([
    { name: 'described by hints', sno: 'rootDeviceHints: { serialNumber: S1 }\n' },
    { name: 'described by faulty hints', sno: 'rootDeviceHints: S1\n' },
  ])('is not missed if it is $name', async ({ sno }) => {
    const files = filesOf(least, `apiVersion: sno-install/v1alpha1\nkind: SingleNodeConfig\n${sno}`);
    expect(problemsOf(await resolve([bootstrapInPlace], testContext({ files })))).toEqual([]);
  });

  test('rule 41: is missed by the target alone that needs it', async () => {
    const result = await resolve([bootstrapInPlace], testContext({ files: filesOf(least) }));
    expect(problemsOf(result)).toEqual([
      {
        code: 'config/bootstrap-in-place',
        severity: 'error',
        message: 'bootstrapInPlace is missing: it names the disk to install to',
        at: { file: 'install-config.yaml', path: 'bootstrapInPlace', line: 1, col: 1, length: 1 },
        hint: 'add "bootstrapInPlace:" and below it "  installationDisk: /dev/disk/by-id/…", or describe the disk in rootDeviceHints of sno-config.yaml',
        asset: 'config/bootstrap-in-place',
      },
    ]);
  });
});

describe('problems of both configs come in one run', () => {
  test('each once', async () => {
    const install = edited(soundInstallConfig, [
      ['name: sno', 'name: Sno'],
      ['192.168.126.0/24', '192.168.126.1/24'],
    ]);
    const sno = edited(soundSnoConfig, [
      ['hostname: node-1', 'hostname: Node'],
      ['192.168.126.10', '10.1.1.1'],
    ]);
    const result = await resolve(
      [installConfig, bootstrapInPlace, release, snoConfig],
      testContext({ files: filesOf(install, sno) }),
    );
    // The machine network is invalid, so nodeIP is not checked.
    expect(
      problemsOf(result).map(({ code, at }) => `${code} ${String(at?.file)}:${String(at?.line)}`),
    ).toEqual([
      'config/cluster-name install-config.yaml:4',
      'config/network-address install-config.yaml:14',
      'config/hostname sno-config.yaml:3',
    ]);
  });
});

describe('the model of sno-config.yaml', () => {
  const hour = 3600;
  const usualControlPlane = {
    render: 'Release',
    distribution: 'Kubernetes',
    images: {},
    imagesByDigest: false,
    extraArguments: noArguments,
    featureGates: {},
    encryption: 'secretbox',
    certificates: { signersSeconds: 87_600 * hour, leavesSeconds: 8760 * hour },
  };
  const usualMachine = { operatingSystem: 'FedoraCoreOS', files: [] };

  test('has the defaults that the schema documents when the file is absent', async () => {
    const config = await made(snoConfig, { files: filesOf(least) });
    const documented = defaultsIn(snoConfigFields).filter(
      ({ path }) => !isDuration(path) && !/^(aio\.files|payload|diskEncryption)\./.test(path),
    );
    expect(documented.map(({ path }) => ({ path, value: valueAt(config, path) }))).toMatchObject(documented);
    expect(config).toMatchObject({
      controlPlane: usualControlPlane,
      aio: usualMachine,
      certificates: { validitySeconds: 720 * hour, backdateSeconds: hour },
      postInstallTimeoutSeconds: hour,
    });
    expect(config).not.toHaveProperty('kubelet.gracefulShutdown');
  });

  test('has all that is given', async () => {
    const sno = edited(soundSnoConfig, [
      ['validity: 30d', 'validity: 1y'],
      ['keyAlgorithm: RSA-2048', 'keyAlgorithm: ECDSA-P384'],
    ]);
    expect(await made(snoConfig, { files: filesOf(soundInstallConfig, sno) })).toMatchObject({
      hostname: 'node-1',
      nodeIP: '192.168.126.10',
      releaseImage: 'quay.io/openshift-release-dev/ocp-release:4.21.0-x86_64',
      releaseVersion: '4.21',
      imageReferences: 'image-references',
      controlPlane: usualControlPlane,
      aio: usualMachine,
      certificates: { validitySeconds: 365 * 24 * hour, backdateSeconds: hour, keyAlgorithm: 'ECDSA-P384' },
      kubelet: { gracefulShutdown: { totalSeconds: 60, criticalPodsSeconds: 10 } },
      dns: { local: true },
      ntpSources: ['time.example.com', '192.168.126.1'],
      kernelArguments: ['console=ttyS0'],
      reinstall: 'SameCluster',
      extraManifests: ['extra'],
      postInstallTimeoutSeconds: 90 * 60,
      state: { recipients: ['age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p'] },
    });
  });
});

describe('the model of an all-in-one control plane', () => {
  test('has all that is given', async () => {
    const sno = edited(soundSnoConfig, [
      [
        'render: Release\n',
        `distribution: OpenShift
  kubernetesVersion: 1.34.2
  images: { etcd: example.com/etcd:3.5.1 }
  imagesByDigest: true
  extraArguments: { kubelet: { v: ['4'] } }
  featureGates: { KubeletInUserNamespace: true }
  encryption: None
  certificates: { signers: 20y, leaves: 30d }
aio:
  mirror: https://mirror.example.com/files
  files:
  - path: /opt/cni.tgz
    url: https://example.com/cni.tgz
    sha512: ${'ab'.repeat(64)}
    mode: '0600'
    compression: gzip
    unpackInto: /opt/cni/bin
    stripComponents: 1
`,
      ],
    ]);
    const { controlPlane, aio } = await made(snoConfig, { files: filesOf(soundInstallConfig, sno) });
    expect(controlPlane).toEqual({
      render: 'Release',
      distribution: 'OpenShift',
      kubernetesVersion: '1.34.2',
      images: { etcd: 'example.com/etcd:3.5.1' },
      imagesByDigest: true,
      extraArguments: { ...noArguments, kubelet: { v: ['4'] } },
      featureGates: { KubeletInUserNamespace: true },
      encryption: 'None',
      certificates: { signersSeconds: 20 * 365 * 86_400, leavesSeconds: 30 * 86_400 },
    });
    expect(aio).toEqual({
      operatingSystem: 'RHCOS',
      mirror: 'https://mirror.example.com/files',
      files: [
        {
          path: '/opt/cni.tgz',
          url: 'https://example.com/cni.tgz',
          hash: { type: 'sha512', hex: 'ab'.repeat(64) },
          mode: 0o600,
          compression: 'gzip',
          unpackInto: '/opt/cni/bin',
          stripComponents: 1,
        },
      ],
    });
  });
});

describe('release', () => {
  const sno = 'apiVersion: sno-install/v1alpha1\nkind: SingleNodeConfig\n';
  const digest = `sha256:${'ab'.repeat(32)}`;
  const v421 = { major: 4, minor: 21, text: '4.21' };

  test.each([
    {
      name: 'the default',
      sno,
      want: {
        image: 'quay.io/openshift-release-dev/ocp-release:4.21.0-x86_64',
        version: v421,
        isOkd: false,
      },
    },
    {
      name: 'that of sno-config.yaml',
      sno: `${sno}releaseImage: quay.io/a/b:4.18.3-x86_64\n`,
      want: {
        image: 'quay.io/a/b:4.18.3-x86_64',
        version: { major: 4, minor: 18, text: '4.18' },
        isOkd: false,
      },
    },
    {
      name: 'one by digest',
      sno: `${sno}releaseImage: quay.io/a/b@${digest}\n`,
      want: { image: `quay.io/a/b@${digest}`, isOkd: false },
    },
    {
      name: 'one by digest with a version',
      sno: `${sno}releaseImage: quay.io/a/b@${digest}\nreleaseVersion: 4.20\n`,
      want: {
        image: `quay.io/a/b@${digest}`,
        version: { major: 4, minor: 20, text: '4.20' },
        isOkd: false,
      },
    },
    {
      name: 'that of the environment',
      sno: `${sno}releaseImage: quay.io/a/b:4.18.3\n`,
      override: 'quay.io/c/d:4.21.0-multi',
      want: { image: 'quay.io/c/d:4.21.0-multi', version: v421, isOkd: false },
    },
  ])('is $name', async ({ sno: text, override, want }) => {
    const environment = override === undefined ? {} : { releaseImageOverride: override };
    expect(await made(release, { files: filesOf(soundInstallConfig, text), environment })).toEqual(want);
  });

  test('the default follows the architecture', async () => {
    const install = edited(soundInstallConfig, [['  replicas: 1', '  replicas: 1\n  architecture: arm64']]);
    expect(await made(release, { files: filesOf(install) })).toEqual({
      image: 'quay.io/openshift-release-dev/ocp-release:4.21.0-aarch64',
      version: v421,
      isOkd: false,
    });
  });

  test.each([
    {
      name: 'a bad override',
      sno,
      override: 'latest',
      want: [
        'error usage/environment undefined: OPENSHIFT_INSTALL_RELEASE_IMAGE_OVERRIDE "latest" is not a pull spec with its registry',
      ],
    },
    {
      name: 'an override of another version than releaseVersion',
      sno: `${sno}releaseImage: quay.io/a/b:4.21.3-x86_64\nreleaseVersion: 4.21.3\n`,
      override: 'quay.io/a/b:4.20.1-x86_64',
      want: [
        'error config/release-version sno-config.yaml: releaseVersion 4.21.3 differs from the tag of OPENSHIFT_INSTALL_RELEASE_IMAGE_OVERRIDE, 4.20',
      ],
    },
    {
      name: 'an override of another patch than releaseImage',
      sno: `${sno}releaseImage: quay.io/a/b:4.20.3-x86_64\n`,
      override: 'registry.example.com/a/b:4.20.1-x86_64',
      want: [
        'warning config/release-overridden sno-config.yaml: releaseImage is not installed: the tag of OPENSHIFT_INSTALL_RELEASE_IMAGE_OVERRIDE has version 4.20.1',
      ],
    },
    {
      name: 'an override of the same version',
      sno: `${sno}releaseImage: quay.io/a/b:4.20.3-x86_64\nreleaseVersion: "4.20"\n`,
      override: 'registry.example.com/a/b:4.20.3-x86_64',
      want: [],
    },
    {
      name: 'a version without an image',
      sno: `${sno}releaseVersion: 4.18.3\n`,
      want: [
        'error config/release-version sno-config.yaml: releaseVersion "4.18.3" selects no release: without releaseImage, quay.io/openshift-release-dev/ocp-release:4.21.0-x86_64 is installed',
      ],
    },
    {
      name: 'the patch version of the default without an image',
      sno: `${sno}releaseVersion: 4.21\n`,
      want: [],
    },
    {
      name: 'another architecture',
      sno: `${sno}releaseImage: quay.io/a/b:4.21.0-aarch64\n`,
      want: [
        'error config/release-architecture sno-config.yaml: the release is for aarch64, while controlPlane.architecture is amd64',
      ],
    },
    { name: 'nothing of the newest release', sno: `${sno}releaseImage: quay.io/a/b:4.22.0\n`, want: [] },
    {
      name: 'an untested version',
      sno: `${sno}releaseImage: quay.io/a/b:4.12.0\n`,
      want: [
        `warning config/release-untested sno-config.yaml: release 4.12 is not one of the supported releases ${releases.offeredText}`,
      ],
    },
  ])('warns of or refuses $name', async ({ sno: text, override, want }) => {
    const environment = override === undefined ? {} : { releaseImageOverride: override };
    const result = await resolve(
      [release],
      testContext({ files: filesOf(soundInstallConfig, text), environment }),
    );
    expect(
      problemsOf(result).map(
        ({ severity, code, at, message }) => `${severity} ${code} ${String(at?.file)}: ${message}`,
      ),
    ).toEqual(want);
  });
});

/** The model stores durations in seconds, under other names. */
function isDuration(path: string): boolean {
  return /^(?:(?:controlPlane\.)?certificates\.(?!keyAlgorithm)|postInstallTimeout$)/.test(path);
}

function valueAt(config: object, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((at, step) => Reflect.get(Object(Array.isArray(at) ? at[0] : at), step), config);
}

/** Every default of a schema with its path. */
function defaultsIn(
  schema: FieldSchema,
  prefix = '',
): readonly { readonly path: string; readonly value: unknown }[] {
  return Object.entries((schema.items ?? schema).properties ?? {}).flatMap(([name, child]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    return [
      ...(child.default === undefined ? [] : [{ path, value: child.default }]),
      ...defaultsIn(child, path),
    ];
  });
}
