import { describe, expect, it } from 'vitest';

import { checkFleet } from '../../src/fleet/table/check-fleet.js';
import { siteSourcesOf } from '../../src/fleet/table/check-site-files.js';
import { openFleet } from '../../src/fleet/table/read-fleet.js';
import { dryRunCheck } from '../../src/fleet/review/dry-run-check.js';
import { testNow } from '../support/context.js';
import { snoConfigText } from '../support/minimal-config.js';
import { expectOk } from '../support/sound-value.js';
import { fleetFolder, fleetText, problemLine } from './files.js';

const base = {
  'base/sno-config.yaml': snoConfigText(
    'hostname: ${name}\nnodeIP: ${ip}\nreleaseImage: quay.io/openshift-release-dev/ocp-release:4.21.0-x86_64\n',
  ),
};

async function problemsOfFleet(changes: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const opened = expectOk(openFleet(fleetFolder({ ...base, ...changes })));
  const found = await checkFleet(opened, {
    judge: dryRunCheck(siteSourcesOf(opened), { present: testNow, variables: {} }),
  });
  return found
    .filter(({ problem: { code } }) => code !== 'post-install/kind-unknown')
    .map(({ problem, sites }) => `${sites.join('+')}: ${problemLine(problem)}`);
}

const pod = (image: string, port: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: default}\nspec:\n  containers:\n    - name: a\n      image: ${image}\n      ports:\n        - containerPort: ${port}\n`;

const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: radios.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Radio, plural: radios}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              description: such as \${UNIT}
              properties:
                size: {type: integer}
`;
const radio = (size: string): string =>
  `apiVersion: example.com/v1\nkind: Radio\nmetadata: {name: a, namespace: default}\nspec:\n  size: ${size}\n`;

const csv = 'name,ip,port,class\nnorth-1,192.168.126.10,80,small\nnorth-2,192.168.126.11,http,\n';
const message = 'spec.containers[0].ports[0].containerPort must be a whole number, not a string';

describe('a wrong field of an object', () => {
  it.each<[name: string, changes: Readonly<Record<string, string>>, problems: readonly string[]]>([
    [
      'of the base is reported once for all sites',
      { 'base/manifests/pod.yaml': pod('b', 'http') },
      [`north-1+north-2: base/manifests/pod.yaml:9:26 manifest/schema: ${message}`],
    ],
    [
      'of a table cell is reported at the cell',
      { 'sites.csv': csv, 'base/manifests/pod.yaml': pod('b', '${port}') },
      [
        `north-2: sites.csv:3:24 manifest/schema: ${message} <- base/manifests/pod.yaml:9 spec.containers[0].ports[0].containerPort`,
      ],
    ],
    [
      'of a class is reported for its sites',
      {
        'fleet.yaml': fleetText('classes: ["${class:-}"]\n'),
        'sites.csv': csv,
        'base/manifests/pod.yaml': pod('b', '80'),
        'classes/small/manifests/pod.yaml': 'spec:\n  hostNetwork: "yes"\n',
      },
      [
        'north-1: classes/small/manifests/pod.yaml:2:16 manifest/schema: spec.hostNetwork must be true or false, not a string',
      ],
    ],
    [
      'of an override is reported there',
      {
        'base/manifests/pod.yaml': pod('b', '80'),
        'overrides/north-2/manifests/pod.yaml': 'spec:\n  hostNetwrk: true\n',
      },
      [
        'north-2: overrides/north-2/manifests/pod.yaml:2:15 manifest/schema: unknown field "hostNetwrk" in spec',
      ],
    ],
    [
      'is found with a definition of the base, which may contain "${"',
      { 'base/crds/radio.yaml': definition, 'base/post-install/a.yaml': radio('many') },
      [
        'north-1+north-2: base/post-install/a.yaml:5:9 manifest/schema: spec.size must be a whole number, not a string',
      ],
    ],
    [
      'is found with a definition of a class',
      {
        'fleet.yaml': fleetText('classes: ["${class:-}"]\n'),
        'sites.csv': csv,
        'classes/small/crds/radio.yaml': definition,
        'base/post-install/a.yaml': radio('many'),
      },
      [
        'north-1: base/post-install/a.yaml:5:9 manifest/schema: spec.size must be a whole number, not a string',
      ],
    ],
    [
      'is found with a definition of an override',
      { 'overrides/north-2/crds/radio.yaml': definition, 'base/post-install/a.yaml': radio('many') },
      [
        'north-2: base/post-install/a.yaml:5:9 manifest/schema: spec.size must be a whole number, not a string',
      ],
    ],
    [
      'of a definition is reported there',
      { 'base/crds/radio.yaml': definition.replace('              type: object\n', '') },
      [
        'north-1+north-2: base/crds/radio.yaml:16:13 manifest/definition: spec.versions[0].schema.openAPIV3Schema.properties.spec.type is missing',
      ],
    ],
  ])('%s', async (_, changes, problems) => {
    expect(await problemsOfFleet(changes)).toEqual(problems);
  });
});
