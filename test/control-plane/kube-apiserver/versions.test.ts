import { expect, test } from 'vitest';

import { upstreamFlags } from '../../../src/control-plane/kube-apiserver/upstream.js';
import { versionsOf } from '../../../src/control-plane/loops/loop-inputs.js';
import {
  admissionPluginProblems,
  authorizationModeProblems,
} from '../../../src/release/flags/admission-plugins.js';
import { flagProblems } from '../../../src/release/flags/check-flags.js';
import { programSources } from '../../../src/release/flags/program-sources.js';
import { knownKubernetesMinors } from '../../../src/release/kubernetes.js';
import { releases } from '../../../src/release/releases.js';
import { apiserverConfigOf as configOf } from '../../support/settled-apiserver.js';

const key = { provider: 'aesgcm', key: Buffer.alloc(32, 1).toString('base64') } as const;

test.each(knownKubernetesMinors)(
  'Kubernetes 1.%d has the flags, plugins and modes of the all-in-one node',
  async (kubernetesMinor) => {
    const versions = { kubernetesMinor, etcd: '3.6' } as const;
    const flags = upstreamFlags(await configOf({ profile: 'Kubernetes', versions, encryption: key }));
    const list = (flag: string): readonly string[] => flags[flag]?.join(',').split(',') ?? [];
    const names = [...Object.keys(flags), 'advertise-address'];
    expect([
      ...flagProblems('kube-apiserver', versions, names, programSources.Kubernetes),
      ...admissionPluginProblems(kubernetesMinor, list('enable-admission-plugins')),
      ...authorizationModeProblems(kubernetesMinor, list('authorization-mode')),
    ]).toEqual([]);
  },
);

test.each(releases.all.map((payload) => ({ release: payload.version.text, payload })))(
  'the kube-apiserver of OpenShift $release has the flags of its configuration',
  async ({ payload }) => {
    const config = await configOf({ profile: 'OpenShift', payload, encryption: key });
    const flags = [...Object.keys(config.arguments), 'openshift-config', 'permit-address-sharing'];
    expect(flagProblems('kube-apiserver', versionsOf(payload), flags, programSources.OpenShift)).toEqual([]);
  },
);
