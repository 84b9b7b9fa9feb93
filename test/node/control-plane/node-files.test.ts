import { describe, expect, test } from 'vitest';

import { controlPlaneNodeFiles } from '../../../src/assets/control-plane/node-files.js';
import { isRecord } from '../../../src/core/is-record.js';
import { toData } from '../../../src/formats/yaml/yaml-tree.js';
import { readYaml } from '../../../src/formats/yaml/yaml.js';
import { fieldAt, listAt, textAt } from '../../../src/kube/fields.js';
import { resolveAssets } from '../../support/made-from.js';
import { minimalInstallConfig, snoConfigText } from '../../support/minimal-config.js';

const folder = '/opt/openshift/control-plane/';

/** The files of the rendered control plane by path below its folder. */
async function filesOf(
  sno: string,
  files: Readonly<Record<string, string>> = {},
): Promise<ReadonlyMap<string, string>> {
  const made = await resolveAssets([controlPlaneNodeFiles], {
    files: {
      'install-config.yaml': minimalInstallConfig,
      'sno-config.yaml': snoConfigText(`certificates: { keyAlgorithm: ECDSA-P256 }\n${sno}`),
      ...files,
    },
  });
  return new Map(
    made
      .valueOf(controlPlaneNodeFiles)
      .map(({ path, contents }) => [path.replace(folder, ''), String(contents)] as const),
  );
}

function data(text: string | undefined): unknown {
  const [root] = readYaml(text ?? '').documents;
  return root && toData(root);
}

/**
 * Namespaces that exist already: kube-system from Kubernetes, the others from the first manifests of the version operator. '' is for
 * cluster-scoped objects.
 */
const withNamespaces = [
  '',
  'kube-system',
  'openshift-config',
  'openshift-config-managed',
  'openshift-etcd-operator',
];

const byInstaller = 'controlPlane: { render: Installer }\n';
const known = `${byInstaller}hostname: sno1\nnodeIP: 192.168.126.10\n`;

describe('the control plane in the live system', () => {
  test('is not there where the release renders it', async () => {
    expect((await filesOf('hostname: sno1\n')).size).toBe(0);
  });

  test('is in the folders that the scripts read', async () => {
    const files = await filesOf(byInstaller);
    const pods = [...files.keys()].filter(
      (path) => /manifests\/[a-z-]+-pod\.yaml$/.test(path) && !path.startsWith('manifests/'),
    );
    expect(pods).toEqual([
      'etc-kubernetes/manifests/etcd-member-pod.yaml',
      'bootstrap-manifests/kube-apiserver-pod.yaml',
      'bootstrap-manifests/kube-controller-manager-pod.yaml',
      'bootstrap-manifests/kube-scheduler-pod.yaml',
    ]);
    for (const name of ['etcd-signer.key', 'etcd-metric-signer.key', 'etcd-client.crt', 'etcd-ca-bundle.crt'])
      expect(files.get(`tls/${name}`)).toContain('-----BEGIN');
  });

  test('leaves values of the node to the node', async () => {
    const files = await filesOf(`${byInstaller}hostname: sno1\n`);
    const list: unknown = JSON.parse(files.get('node-certificates.json') ?? '{}');
    const certificates = listAt(list, ['certificates']);
    expect(certificates.map((each) => [textAt(each, ['name']), textAt(each, ['signer'])])).toEqual([
      ['etcd-peer', 'etcd-signer'],
      ['etcd-serving', 'etcd-signer'],
      ['etcd-serving-metrics', 'etcd-metric-signer'],
    ]);
    expect(textAt(certificates[0], ['subjectAltName'])?.split(',')).toEqual([
      'IP:127.0.0.1',
      'IP:::1',
      'IP:@@node-ip@@',
      'DNS:etcd.kube-system.svc',
      'DNS:etcd.kube-system.svc.cluster.local',
      'DNS:etcd.openshift-etcd.svc',
      'DNS:etcd.openshift-etcd.svc.cluster.local',
      'DNS:localhost',
    ]);
    const written = listAt(list, ['secrets']).map((each) => textAt(each, ['file']) ?? '');
    expect(written).toHaveLength(5);
    // The node writes these files itself.
    expect(written.filter((name) => files.has(`manifests/${name}`))).toEqual([]);
    expect(files.get('etc-kubernetes/manifests/etcd-member-pod.yaml')).toContain('@@image-etcd@@');
  });

  test('is complete if sno-config.yaml contains name, address and images', async () => {
    const keys = [
      'etcd',
      'hyperkube',
      'cluster-policy-controller',
      'cluster-etcd-operator',
      'cluster-kube-apiserver-operator',
    ];
    const tags = keys.map((name) => ({
      name,
      from: { kind: 'DockerImage', name: `registry.example.com/ocp/${name}:1` },
    }));
    const files = await filesOf(`${known}imageReferences: images.json\n`, {
      'images.json': JSON.stringify({ kind: 'ImageStream', spec: { tags } }),
    });
    // The feature gates come from the payload, on the node.
    const open = [...files].filter(([, text]) => text.replaceAll('@@feature-gates@@', '').includes('@@'));
    expect(open.map(([path]) => path)).toEqual([]);
    expect(files.has('node-certificates.json')).toBe(false);
    expect(
      files.get('etc-kubernetes/static-pod-resources/etcd-certs/secrets/etcd-all-certs/etcd-peer-sno1.crt'),
    ).toContain('-----BEGIN CERTIFICATE-----');
    expect(files.get('bootstrap-manifests/kube-scheduler-pod.yaml')).toContain(
      'registry.example.com/ocp/hyperkube:1',
    );
  });

  test('exports objects an operator finds at revision 1, but none of the version operator', async () => {
    const files = await filesOf(known);
    const objects = [...files]
      .filter(([path]) => path.startsWith('manifests/'))
      .map(([, text]) => data(text));
    const named = objects.map(
      (object) =>
        `${textAt(object, ['kind']) ?? ''} ${textAt(object, ['metadata', 'namespace']) ?? ''} ${textAt(object, ['metadata', 'name']) ?? ''}`,
    );
    for (const namespace of ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler'])
      expect(named).toContain(`ConfigMap openshift-${namespace} revision-status-1`);
    expect(named).toContain('Secret openshift-kube-apiserver etcd-client-1');
    // Every namespace is in the files, except those that Kubernetes or the payload creates.
    const namespaces = named.flatMap((each) => (each.startsWith('Namespace ') ? [each.split(' ')[2]] : []));
    const needed = new Set(named.map((each) => each.split(' ')[1] ?? ''));
    expect([...needed].filter((name) => !namespaces.includes(name)).toSorted()).toEqual(withNamespaces);
    expect(
      objects.filter((object) => /\.openshift\.io\//.test(textAt(object, ['apiVersion']) ?? '')),
    ).toEqual([]);
    const pods = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'].map((name) =>
      data(files.get(`bootstrap-manifests/${name}-pod.yaml`)),
    );
    expect(pods.map((pod) => fieldAt(pod, ['metadata', 'labels', 'revision']))).toEqual(['1', '1', '1']);
  });

  test('encrypts from the start if the APIServer manifest requires it', async () => {
    const apiServer = 'apiVersion: config.openshift.io/v1\nkind: APIServer\nmetadata: { name: cluster }\n';
    const files = await filesOf(known, {
      'manifests/api-server.yaml': `${apiServer}spec: { encryption: { type: aescbc } }\n`,
    });
    const config = data(
      files.get(
        'etc-kubernetes/static-pod-resources/kube-apiserver-pod-1/secrets/encryption-config/encryption-config',
      ),
    );
    const providers = listAt(config, ['resources']).map((each) =>
      listAt(each, ['providers']).flatMap((provider) => (isRecord(provider) ? Object.keys(provider) : [])),
    );
    expect(providers).toEqual([
      ['aescbc', 'identity'],
      ['aescbc', 'identity'],
    ]);
    const key = data(
      files.get(
        'manifests/control-plane-50-secret-openshift-config-managed-encryption-key-openshift-kube-apiserver-1.yaml',
      ),
    );
    const bytes = textAt(key, ['data', 'encryption.apiserver.operator.openshift.io-key']);
    expect(Buffer.from(bytes ?? '', 'base64')).toHaveLength(32);
  });
});
