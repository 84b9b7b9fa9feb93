import { expect, test } from 'vitest';

import { renderControlPlane } from '../../src/control-plane/render-control-plane.js';
import { versionsOf } from '../../src/control-plane/loops/loop-inputs.js';
import { componentNames } from '../../src/kube/components.js';
import { releases } from '../../src/release/releases.js';
import { controlPlaneInputs } from '../support/control-plane.js';

const inputs = await controlPlaneInputs({ profile: 'OpenShift' });

/** App labels of pods that may connect, by namespace with a policy that denies all others. */
function allowedApps(payload: (typeof releases.all)[number]): Readonly<Record<string, readonly string[]>> {
  const result = renderControlPlane({ ...inputs, payload, versions: versionsOf(payload) });
  if (!result.ok) throw new Error('expected it to render');
  const policies = result.value.store.objects().filter(({ kind }) => kind === 'NetworkPolicy');
  return Object.fromEntries(
    policies
      .filter(({ metadata }) => metadata.name.startsWith('default-deny'))
      .map(({ metadata: { namespace = '' } }) => [
        namespace,
        policies
          .filter(({ metadata }) => metadata.namespace === namespace)
          .flatMap((policy) => (JSON.stringify(policy).match(/"values":\[([^\]]*)\]/)?.[1] ?? '').split(','))
          .filter((app) => app !== ''),
      ]),
  );
}

test.each(releases.all.filter(({ offersInstaller }) => offersInstaller))(
  'the installer pods of $version.text may connect in namespaces that deny traffic',
  (payload) => {
    const allowed = allowedApps(payload);
    const namespaces = Object.values(componentNames).map(({ namespace }) => namespace);
    expect(Object.keys(allowed).toSorted()).toEqual(payload.hasNetworkPolicies ? namespaces.toSorted() : []);
    for (const apps of Object.values(allowed)) expect(apps).toContain('"installer"');
  },
);
