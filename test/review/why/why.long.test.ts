import { readdirSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { installConfig } from '../../../src/assets/config/install-config.js';
import { snoConfig } from '../../../src/assets/config/sno-config.js';
import { templatesFrom } from '../../../src/disk/program-files/templates.js';
import { createEngine } from '../../../src/graph/engine.js';
import { inputRecorder } from '../../../src/graph/input-recorder.js';
import { knownTemplates } from '../../../src/review/output-tree.js';
import { findSubjects, subjectsOf, type Subject } from '../../../src/review/why/subjects.js';
import { outputsOf, traceOf, type Trace, type TracedTarget } from '../../../src/review/why/trace.js';
import { targetAssets } from '../../../src/run/target-assets.js';
import type { TargetName } from '../../../src/run/targets.js';
import { testContext } from '../../support/context.js';
import { fixtureFiles } from '../../support/made-from.js';
import { expectOk } from '../../support/sound-value.js';

const configs = [installConfig, snoConfig];
const templates = knownTemplates(templatesFrom('templates'));

async function tracedOf(target: TargetName, files: Readonly<Record<string, string>>): Promise<TracedTarget> {
  const watch = inputRecorder(configs);
  const { roots } = targetAssets[target];
  const resolved = expectOk(await createEngine(testContext({ files }), watch).resolve(roots));
  watch.end();
  return { roots, valueOf: resolved.valueOf, watch, configs, templates };
}

const titleOf = ({ output, inside }: Subject): string =>
  inside === undefined ? output : `${output}:${inside}`;
const fieldsOf = ({ origins }: Trace): readonly string[] =>
  origins.flatMap(({ fields }) => fields.map(({ field }) => field));

const names = readdirSync('fixtures/configs');
const goldens = names.map((name) => ({
  name,
  target: name.startsWith('aio-') ? ('aio-ignition' as const) : ('single-node-ignition-config' as const),
}));
const others = [
  { name: 'minimal', target: 'manifests' as const },
  { name: 'render-installer', target: 'control-plane' as const },
  { name: 'aio-minimal', target: 'aio-control-plane' as const },
];

/** These files are the same for every cluster and have no template: an empty cloud config, and the version of the program. */
const constant = /\/(?:kube-cloud-config|kube-cloud-cfg|openshift-install-manifests)\.yaml$/;

describe('every file of every golden has a reason', () => {
  it.each([...goldens, ...others])('$name for $target', async ({ name, target }) => {
    const traced = await tracedOf(target, fixtureFiles(name));
    const subjects = subjectsOf(outputsOf(traced));
    const without = subjects.filter((subject) => {
      const { template, origins } = traceOf(subject, traced);
      return template === undefined && origins.length === 0;
    });
    expect(subjects.length).toBeGreaterThan(10);
    expect(without.map(titleOf).filter((title) => !constant.test(title))).toEqual([]);
  });
});

describe('lists a field for each output that it changes', () => {
  const cases: readonly { field: string; target: TargetName; change: (text: string) => string }[] = [
    {
      field: 'metadata.name',
      target: 'single-node-ignition-config',
      change: (text) => text.replace('name: site1', 'name: site2'),
    },
    {
      field: 'networking.machineNetwork[0].cidr',
      target: 'single-node-ignition-config',
      change: (text) => text.replace('192.168.126.0/24', '192.168.127.0/24'),
    },
    {
      field: 'baseDomain',
      target: 'aio-ignition',
      change: (text) => text.replace('example.com', 'example.org'),
    },
    {
      field: 'networking.serviceNetwork[0]',
      target: 'aio-ignition',
      change: (text) => text.replace('networking:', 'networking:\n  serviceNetwork: [172.31.0.0/16]'),
    },
    {
      field: 'bootstrapInPlace.installationDisk',
      target: 'single-node-ignition-config',
      change: (text) => text.replace('wwn-0x5000c500a1b2c3d4', 'wwn-0x5000c500a1b2c3d5'),
    },
  ];
  it.each(cases)('$field for $target', async ({ field, target, change }) => {
    const files = fixtureFiles(target === 'aio-ignition' ? 'aio-minimal' : 'minimal');
    const text = files['install-config.yaml'] ?? '';
    const [before, after] = await Promise.all([
      tracedOf(target, files),
      tracedOf(target, { ...files, 'install-config.yaml': change(text) }),
    ]);
    expect(change(text)).not.toBe(text);
    const old = new Map(subjectsOf(outputsOf(before)).map((subject) => [titleOf(subject), subject.bytes]));
    const changed = subjectsOf(outputsOf(after)).filter(
      (subject) =>
        subject.inside !== undefined &&
        !isSalted(subject) &&
        old.get(titleOf(subject))?.equals(subject.bytes) === false,
    );
    expect(changed.length).toBeGreaterThan(0);
    const silent = changed.filter((subject) => !fieldsOf(traceOf(subject, after)).includes(field));
    expect(silent.map(titleOf)).toEqual([]);
  });
});

/** The hash of a password differs by its salt. */
function isSalted({ inside = '' }: Subject): boolean {
  return inside.endsWith('/99_kubeadmin-password-secret.yaml');
}

describe('names for why', () => {
  it('may be named in many ways', async () => {
    const subjects = subjectsOf(
      outputsOf(await tracedOf('single-node-ignition-config', fixtureFiles('minimal'))),
    );
    const config = 'bootstrap-in-place-for-live-iso.ign';
    const titlesFor = (question: string): readonly string[] => findSubjects(question, subjects).map(titleOf);
    const dns = `${config}:/opt/openshift/manifests/cluster-dns-02-config.yml`;
    expect(titlesFor('auth/kubeconfig')).toEqual(['auth/kubeconfig']);
    expect(titlesFor(`${config}:/etc/motd`)).toEqual([`${config}:/etc/motd`]);
    expect(titlesFor('/etc/motd')).toEqual([`${config}:/etc/motd`]);
    expect(titlesFor('kubelet.service')).toEqual([`${config}:/etc/systemd/system/kubelet.service`]);
    for (const name of ['manifests/cluster-dns-02-config.yml', 'cluster-dns-02-config.yml', 'DNS/cluster'])
      expect(titlesFor(name)).toEqual([dns]);
    expect(titlesFor('ConfigMap/kube-system/root-ca')).toEqual([
      `${config}:/opt/openshift/manifests/kube-system-configmap-root-ca.yaml`,
    ]);
    expect(titlesFor('nothing')).toEqual([]);
  });
});
