import { expect, test } from 'vitest';

import { nodeAt } from '../../src/formats/yaml/yaml-tree.js';
import { readYaml } from '../../src/formats/yaml/yaml.js';
import { tracedAt, type Traced } from '../../src/formats/yaml/traced.js';
import { tracedNode, tracedVariable } from '../../src/import/tracing.js';

const text = `spec:
  nodes:
    - nodeNetwork:
        config:
          interfaces:
            - name: eno1
              "not a name": { mtu: 9000 }
`;
const path = ['spec', 'nodes', 0, 'nodeNetwork', 'config'] as const;

function pathsBelow(root: Traced): readonly (string | undefined)[] {
  const places = [[], ['interfaces'], ['interfaces', 0, 'name'], ['interfaces', 0, 'not a name', 'mtu']];
  return places.map((place) => tracedAt(root, place)?.origin.at.path);
}

test('locates variables by whole paths, and hides keys that are not names', () => {
  const [root] = readYaml(text).documents;
  const value = root && nodeAt(root, path);
  if (value === undefined) throw new Error('the text has no such field');
  const at = { file: 'site1.yaml', path: 'spec.nodes[0].nodeNetwork.config' };
  const whole = [
    'spec.nodes[0].nodeNetwork.config',
    'spec.nodes[0].nodeNetwork.config.interfaces',
    'spec.nodes[0].nodeNetwork.config.interfaces[0].name',
    'spec.nodes[0].nodeNetwork.config.interfaces[0].mtu',
  ];

  expect(pathsBelow(tracedVariable({ value, at }))).toEqual(whole);
  expect(pathsBelow(tracedNode(value, 'site1.yaml', path))).toEqual(whole);
  expect(pathsBelow(tracedVariable({ value, at: { file: 'site1.yaml' } }))).toEqual([
    '',
    'interfaces',
    'interfaces[0].name',
    'interfaces[0].mtu',
  ]);
});
