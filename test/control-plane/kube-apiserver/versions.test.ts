import { expect, test } from 'vitest';

import { upstreamFlags } from '../../../src/control-plane/kube-apiserver/upstream.js';
import {
  admissionPluginProblems,
  authorizationModeProblems,
} from '../../../src/release/flags/admission-plugins.js';
import { flagProblems } from '../../../src/release/flags/check-flags.js';
import { programSources } from '../../../src/release/flags/program-sources.js';
import { knownKubernetesMinors } from '../../../src/release/kubernetes.js';
import { apiserverConfigOf as configOf } from '../../support/settled-apiserver.js';

const key = { provider: 'aesgcm', key: Buffer.alloc(32, 1).toString('base64') } as const;

test.each(knownKubernetesMinors)(
  'Kubernetes 1.%d has our flags, plugins and modes',
  async (kubernetesMinor) => {
    const versions = { kubernetesMinor, etcd: '3.6' } as const;
    const upstream = upstreamFlags(await configOf({ profile: 'Kubernetes', versions, encryption: key }));
    const list = (flag: string): readonly string[] => upstream[flag]?.join(',').split(',') ?? [];
    const fork = await configOf({ profile: 'OpenShift', versions, encryption: key });
    const forkFlags = [...Object.keys(fork.arguments), 'openshift-config', 'permit-address-sharing'];
    expect([
      ...flagProblems(
        'kube-apiserver',
        versions,
        [...Object.keys(upstream), 'advertise-address'],
        programSources.Kubernetes,
      ),
      ...admissionPluginProblems(kubernetesMinor, list('enable-admission-plugins')),
      ...authorizationModeProblems(kubernetesMinor, list('authorization-mode')),
      ...flagProblems('kube-apiserver', versions, forkFlags, programSources.OpenShift),
    ]).toEqual([]);
  },
);
