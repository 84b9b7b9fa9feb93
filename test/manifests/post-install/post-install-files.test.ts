import { describe, expect, it } from 'vitest';

import { postInstallFiles } from '../../../src/manifests/post-install/post-install-files.js';
import { postInstallObjects } from '../../../src/manifests/post-install/post-install-objects.js';

function filesOf(files: Readonly<Record<string, string>>) {
  const given = Object.entries(files).map(([file, text]) => ({ file, bytes: Buffer.from(text) }));
  return postInstallFiles(postInstallObjects(given).objects, []);
}

const role = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: "system:ptp:reader"} # read only
rules: [{apiGroups: [ptp.openshift.io], resources: ['*'], verbs: [get]}]
`;
const config = `apiVersion: ptp.openshift.io/v1
kind: PtpConfig
metadata: {name: slave, namespace: openshift-ptp}
spec: {profile: [{name: slave, interval: 0644, isOn: yes}]}
`;

describe('postInstallFiles', () => {
  it('lists objects in canonical files', () => {
    const { list, objects } = filesOf({ 'post-install/10-ptp.yaml': `${role}---\n${config}` });
    const rows = [
      `10\t0001-clusterrole-system-ptp-reader.yaml\trbac.authorization.k8s.io/v1\tClusterRole\t-\tsystem:ptp:reader\tpost-install/10-ptp.yaml#1\t-\n`,
      `10\t0002-ptpconfig-slave.yaml\tptp.openshift.io/v1\tPtpConfig\topenshift-ptp\tslave\tpost-install/10-ptp.yaml#2\t-\n`,
    ];
    expect(list).toBe(
      `# wave\tfile\tapiVersion\tkind\tnamespace\tname\tsource\tsubscriptions\n${rows.join('')}`,
    );
    expect(objects.map(({ name }) => name)).toEqual([
      '0001-clusterrole-system-ptp-reader.yaml',
      '0002-ptpconfig-slave.yaml',
    ]);
    expect(objects[1]?.text).toBe(`apiVersion: ptp.openshift.io/v1
kind: PtpConfig
metadata:
  name: slave
  namespace: openshift-ptp
spec:
  profile:
    - interval: 420
      isOn: true
      name: slave
`);
  });

  it('has one line per object and short file names for any name', () => {
    const long = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${'x'.repeat(253)}, namespace: "a\\tb\\nc"}\n`;
    const { list, objects } = filesOf({ 'post-install/\t.yaml': long });
    expect(list.split('\n').map((line) => line.split('\t').length)).toEqual([8, 8, 1]);
    expect(objects[0]?.name).toBe(`0001-configmap-${'x'.repeat(90)}.yaml`);
  });
});
