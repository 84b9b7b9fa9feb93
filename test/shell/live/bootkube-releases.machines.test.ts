import { expect, test } from 'vitest';

import { describeWith } from '../../support/programs.js';
import { bootstrapNode, nameOf, runsOfTools, toolsOf421 } from '../support/bootkube.js';
import { releaseOf } from '../support/payload.js';

describeWith(['bash', 'jq'], 'bootkube.sh of earlier releases, from start to end', () => {
  const differences: readonly { minor: number; absent: readonly string[]; leftOut: readonly string[] }[] = [
    {
      minor: 14,
      absent: ['api-render', 'auth-api-render', 'cmdbootline-nto-render'],
      leftOut: ['--skip-api-rendering', '--feature-gate-manifest-path', '--operand-kubernetes-version'],
    },
    {
      minor: 15,
      absent: ['auth-api-render'],
      leftOut: ['--feature-gate-manifest-path', '--operand-kubernetes-version'],
    },
    { minor: 18, absent: ['auth-api-render'], leftOut: [] },
  ];

  test.each(differences)(
    'runs the tools of 4.$minor only with flags that they support',
    ({ minor, absent, leftOut }) => {
      const node = bootstrapNode({ minor });

      const { status } = node.run('bootkube.sh');

      const ofRelease = (flag: string) =>
        flag.replace('4.21.3', `4.${minor}.3`).replace('1.34.6', `1.${releaseOf(minor).kubernetesMinor}.6`);
      const want = Object.entries(toolsOf421).flatMap(([name, flags]) =>
        absent.includes(name)
          ? []
          : [[name, ...flags.filter((flag) => !leftOut.includes(nameOf(flag))).map(ofRelease)]],
      );
      expect(runsOfTools(node)).toEqual(want);
      expect(status).toBe(0);
      // The config operator of 4.14 renders the APIs itself.
      const apis = node.list('opt/openshift/manifests').filter((name) => name.startsWith('0000_10_'));
      expect(apis).toEqual([minor === 14 ? '0000_10_old-crd.yaml' : '0000_10_crd.yaml']);
    },
  );
});
