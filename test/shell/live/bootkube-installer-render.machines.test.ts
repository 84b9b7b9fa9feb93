import { X509Certificate } from 'node:crypto';
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { nodeCertificates } from '../../../src/node/control-plane/node-certificates.js';
import { controlPlaneNodeFiles } from '../../../src/assets/control-plane/node-files.js';
import { etcdLoops } from '../../../src/control-plane/etcd/etcd-loops.js';
import { openShiftEtcd } from '../../../src/control-plane/etcd/openshift.js';
import { placeholderNode } from '../../../src/control-plane/shared/placeholders.js';
import { runPipeline } from '../../../src/control-plane/loops/pipeline.js';
import { createStore } from '../../../src/control-plane/loops/store.js';
import { resolve } from '../../../src/graph/engine.js';
import { readYaml } from '../../../src/formats/yaml/yaml.js';
import { toData } from '../../../src/formats/yaml/yaml-tree.js';
import { fieldAt, textAt } from '../../../src/kube/fields.js';
import { testContext } from '../../support/context.js';
import { controlPlaneInputs } from '../../support/control-plane.js';
import { readTree } from '../../support/read-tree.js';
import { minimalInstallConfig, snoConfigText } from '../../support/minimal-config.js';
import { describeWith } from '../../support/programs.js';
import { nodeWithAllDoneBut, runsOfTools } from '../support/bootkube.js';
import { filledFeatureGate } from '../support/payload.js';
import type { ScratchNode } from '../support/scratch-node.js';

const inputs = await controlPlaneInputs({
  profile: 'OpenShift',
  node: placeholderNode,
  withoutPairs: ['etcd-peer', 'etcd-serving', 'etcd-serving-metrics'],
});
const components = [
  'etcd-bootstrap',
  'kube-apiserver-bootstrap',
  'kube-controller-manager-bootstrap',
  'kube-scheduler-bootstrap',
];
const rendered = 'opt/openshift/control-plane';

function certificateList(): string {
  const settled = runPipeline(
    { loops: [etcdLoops(openShiftEtcd)], revisioned: [openShiftEtcd.revision] },
    inputs,
    createStore(inputs.seeds),
  );
  if (!settled.ok) throw new Error('expected the loops to settle');
  return JSON.stringify(nodeCertificates(inputs, settled.value.store));
}

/** A node whose Ignition config contains a control plane. The etcd pod uses every placeholder. */
function nodeWithControlPlane(): ScratchNode {
  const node = nodeWithAllDoneBut(components, { variables: { SNO_RENDER: 'Installer' } });
  const write = (path: string, text: string): void => {
    node.write(`${rendered}/${path}`, text);
  };
  write(
    'etc-kubernetes/manifests/etcd-member-pod.yaml',
    '@@node-name@@ @@node-environment-name@@ @@node-ip@@ @@node-url-host@@ @@node-endpoint-key@@ @@image-etcd@@\n',
  );
  write('etc-kubernetes/static-pod-resources/etcd-pod-1/configmaps/etcd-pod/pod.yaml', 'at @@node-ip@@\n');
  for (const name of ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'])
    write(`bootstrap-manifests/${name}-pod.yaml`, `${name} by @@image-hyperkube@@\n`);
  write('manifests/control-plane-00-namespace-openshift-etcd.yaml', 'our namespace\n');
  for (const name of ['etcd-signer', 'etcd-metric-signer'] as const) {
    write(`tls/${name}.crt`, inputs.issued[name]?.certPem ?? '');
    write(`tls/${name}.key`, inputs.issued[name]?.keyPem.reveal() ?? '');
  }
  write('node-certificates.json', certificateList());
  node.answer('hostname', 'SNO-1.site\n');
  node.answerPayload('0000_20_kube-apiserver-operator_00_scc-anyuid.yaml', 'an SCC\n');
  node.answerPayload('0000_50_console-operator_00.yaml', 'not ours\n');
  return node;
}

/** A node with all files of a config that specifies nothing about the node. */
async function nodeWithWholeControlPlane(): Promise<ScratchNode> {
  const files = {
    'install-config.yaml': minimalInstallConfig,
    'sno-config.yaml': snoConfigText(
      'certificates: { keyAlgorithm: ECDSA-P256 }\ncontrolPlane: { render: Installer }\n',
    ),
  };
  const result = await resolve([controlPlaneNodeFiles], testContext({ files }));
  if (!result.ok) throw new Error('the config has problems');
  const node = nodeWithAllDoneBut(components, { variables: { SNO_RENDER: 'Installer' } });
  for (const { path, contents } of result.value.valueOf(controlPlaneNodeFiles))
    node.write(path.slice(1), contents.toString());
  node.answer('hostname', 'SNO-1.site\n');
  node.write('opt/openshift/manifests/99_feature-gate.yaml', filledFeatureGate('4.21.0', payloadGates));
  return node;
}

const payloadGates = {
  enabled: ['BuildCSIVolumes', 'ImageVolume'],
  disabled: ['OpenShiftPodSecurityAdmission'],
};

describeWith(
  ['bash', 'jq', 'openssl'],
  'bootkube.sh with a control plane that the installer rendered',
  () => {
    // Several tests read the results of one run.
    let ran: ScratchNode;
    let wholeRan: ScratchNode;
    beforeAll(async () => {
      ran = nodeWithControlPlane();
      wholeRan = await nodeWithWholeControlPlane();
      for (const node of [ran, wholeRan]) {
        const { status, stderr } = node.run('bootkube.sh');
        expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
      }
    });

    test('inserts values of the node, runs no operator, and uses the SCCs of the payload', () => {
      const node = ran;
      expect(runsOfTools(node)).toEqual([]);
      expect(node.read('etc/kubernetes/manifests/etcd-member-pod.yaml')).toBe(
        'sno-1.site sno_1_site 192.168.126.10 192.168.126.10 MTkyLjE2OC4xMjYuMTA example.com/ocp/etcd:test\n',
      );
      expect(node.read('etc/kubernetes/static-pod-resources/etcd-pod-1/configmaps/etcd-pod/pod.yaml')).toBe(
        'at 192.168.126.10\n',
      );
      expect(node.read('opt/openshift/bootstrap-manifests/kube-scheduler-pod.yaml')).toBe(
        'kube-scheduler by example.com/ocp/hyperkube:test\n',
      );
      expect(node.read('opt/openshift/manifests/control-plane-00-namespace-openshift-etcd.yaml')).toBe(
        'our namespace\n',
      );
      // The rendered files are unchanged, for a second start.
      expect(node.read(`${rendered}/bootstrap-manifests/kube-scheduler-pod.yaml`)).toContain(
        '@@image-hyperkube@@',
      );

      // These manifests admit the first operators.
      expect(node.list('opt/openshift/manifests').filter((name) => name.startsWith('0000_'))).toEqual([
        '0000_20_kube-apiserver-operator_00_scc-anyuid.yaml',
      ]);
    });

    test("issues etcd's certificates under the node's name and address", () => {
      const node = ran;
      const folder = 'etc/kubernetes/static-pod-resources/etcd-certs/secrets/etcd-all-certs';
      const text = node.read(`${folder}/etcd-serving-sno-1.site.crt`);
      const certificate = new X509Certificate(text);
      expect(
        certificate.verify(new X509Certificate(inputs.issued['etcd-signer']?.certPem ?? '').publicKey),
      ).toBe(true);
      expect(certificate.subjectAltName?.split(', ')).toContain('IP Address:192.168.126.10');
      expect(certificate.checkHost('etcd.openshift-etcd.svc')).toBeDefined();
      expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2', '1.3.6.1.5.5.7.3.1']);
      expect(text.match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
      expect(node.read(`${folder.replace('etcd-certs', 'etcd-pod-1')}/etcd-serving-sno-1.site.crt`)).toBe(
        text,
      );
      const secret: unknown = JSON.parse(
        node.read('opt/openshift/manifests/control-plane-50-secret-openshift-etcd-etcd-all-certs.yaml'),
      );
      expect(secret).toMatchObject({
        kind: 'Secret',
        metadata: { namespace: 'openshift-etcd', name: 'etcd-all-certs' },
        stringData: {
          'etcd-serving-sno-1.site.crt': text,
          'etcd-serving-sno-1.site.key': node.read(`${folder}/etcd-serving-sno-1.site.key`),
        },
      });
    });

    test('replaces every placeholder in names and files of the rendered tree', () => {
      const node = wholeRan;
      for (const folder of [
        'etc/kubernetes',
        'opt/openshift/control-plane-filled',
        'opt/openshift/manifests',
      ]) {
        const tree = Object.entries(readTree(join(node.root, folder)));
        expect(tree.length).toBeGreaterThan(20);
        expect(tree.filter(([path, text]) => `${path}${text}`.includes('@@')).map(([path]) => path)).toEqual(
          [],
        );
      }
      const endpoints = 'etc/kubernetes/static-pod-resources/etcd-pod-1/configmaps/etcd-endpoints';
      expect(node.read(`${endpoints}/MTkyLjE2OC4xMjYuMTA`)).toBe('192.168.126.10');
    });

    test('passes the feature gates of the payload to every program', () => {
      const node = wholeRan;
      const gates = ['BuildCSIVolumes=true', 'ImageVolume=true', 'OpenShiftPodSecurityAdmission=false'];
      const folder = 'etc/kubernetes/static-pod-resources';
      const configOf = (component: string, name: string): unknown => {
        const text = node.read(`${folder}/${component}-pod-1/configmaps/${name}/config.yaml`);
        const [root] = readYaml(text).documents;
        return root && toData(root);
      };
      const apiserver = configOf('kube-apiserver', 'config');
      expect(fieldAt(apiserver, ['apiServerArguments', 'feature-gates'])).toEqual(gates);
      const controllers = configOf('kube-controller-manager', 'config');
      expect(fieldAt(controllers, ['extendedArguments', 'feature-gates'])).toEqual(gates);
      const policy = configOf('kube-controller-manager', 'cluster-policy-controller-config');
      expect(fieldAt(policy, ['featureGates'])).toEqual(gates);
      for (const name of ['kube-controller-manager', 'kube-scheduler'])
        expect(node.read(`opt/openshift/bootstrap-manifests/${name}-pod.yaml`)).toContain(
          `--feature-gates=${gates.join(',')}\n`,
        );
    });

    test.each([
      ['was never filled in', 'apiVersion: config.openshift.io/v1\nkind: FeatureGate\nspec: {}\n'],
      ['holds none', filledFeatureGate('4.21.0', { enabled: [], disabled: [] })],
    ])('stops before etcd starts if the list of feature gates %s', async (_, text) => {
      const node = await nodeWithWholeControlPlane();
      node.write('opt/openshift/manifests/99_feature-gate.yaml', text);
      const { status, stderr } = node.run('bootkube.sh');
      expect(status).toBe(1);
      expect(stderr).toContain(
        'the release payload gave no feature gates: /opt/openshift/manifests/99_feature-gate.yaml lists none in its status\n',
      );
      expect(node.has('etc/kubernetes/manifests/etcd-member-pod.yaml')).toBe(false);
    });

    // Without these annotations the operators reissue a Secret, and etcd gets another revision. Source: openshift/library-go certrotation/target.go
    test('annotates issued pairs with dates, issuer and names for the operators', () => {
      const node = wholeRan;
      const folder = 'opt/openshift/manifests';
      const pairs = ['etcd-peer', 'etcd-serving', 'etcd-serving-metrics'];
      const usages = pairs.map((name) => {
        const file = `${folder}/control-plane-50-secret-openshift-etcd-${name}-sno-1.site.yaml`;
        const secret: unknown = JSON.parse(node.read(file));
        const certificate = new X509Certificate(textAt(secret, ['stringData', 'tls.crt']) ?? '');
        const hostnames = certificate.subjectAltName
          ?.split(', ')
          .map((each) => each.replace(/^(DNS|IP Address):/, '').replace('0:0:0:0:0:0:0:1', '::1'));
        const of = (annotation: string) =>
          textAt(secret, ['metadata', 'annotations', `auth.openshift.io/certificate-${annotation}`]);
        return {
          name: textAt(secret, ['metadata', 'name']),
          hasSameStart: Date.parse(of('not-before') ?? '') === Date.parse(certificate.validFrom),
          sameEnd: Date.parse(of('not-after') ?? '') === Date.parse(certificate.validTo),
          sameIssuer: certificate.issuer.includes(`CN=${of('issuer') ?? 'nobody'}`),
          sameNames: of('hostnames')?.split(',').toSorted().join() === (hostnames ?? []).toSorted().join(),
        };
      });
      const same = { hasSameStart: true, sameEnd: true, sameIssuer: true, sameNames: true };
      expect(usages).toEqual(pairs.map((name) => ({ name: `${name}-sno-1.site`, ...same })));
    });

    test('stops at an unknown placeholder', () => {
      const other = nodeWithControlPlane();
      other.write(`${rendered}/etc-kubernetes/odd`, 'at @@node-mood@@');
      const { status, stderr } = other.run('bootkube.sh');
      expect(status).toBe(1);
      expect(stderr).toContain(
        'the rendered control plane asks for node-mood, which this node does not know\n',
      );
      expect(other.has('etc/kubernetes/manifests/etcd-member-pod.yaml')).toBe(false);
    });

    test('reports the missing file', () => {
      const other = nodeWithControlPlane();
      other.remove(`${rendered}/bootstrap-manifests/kube-apiserver-pod.yaml`);
      const { status, stderr } = other.run('bootkube.sh');
      expect(status).toBe(1);
      expect(stderr).toContain(
        'SNO_RENDER is Installer, but /opt/openshift/control-plane-filled/bootstrap-manifests/kube-apiserver-pod.yaml is missing\n',
      );
    });
  },
);
