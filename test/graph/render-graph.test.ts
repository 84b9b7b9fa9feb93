import { describe, expect, it } from 'vitest';

import { defineAsset } from '../../src/graph/asset.js';
import { graphData, renderGraph } from '../../src/graph/render-graph.js';

const config = defineAsset({ name: 'config/install-config', needs: {}, make: () => 1 });
const ca = defineAsset({ name: 'tls/root-ca', needs: { config }, make: () => 2 });
const pointer = defineAsset({ name: 'ignition/worker', needs: { config, ca }, make: () => 3 });

describe('renderGraph', () => {
  it('renders DOT', () => {
    expect(renderGraph('worker', [pointer], 'dot')).toBe(`strict digraph "worker" {
  rankdir=LR;
  node [shape=box];
  "config/install-config";
  "tls/root-ca";
  "ignition/worker";
  "ignition/worker" [style=bold];
  "config/install-config" -> "tls/root-ca";
  "config/install-config" -> "ignition/worker";
  "tls/root-ca" -> "ignition/worker";
}
`);
  });

  it('renders Mermaid', () => {
    expect(renderGraph('worker', [pointer], 'mermaid')).toBe(`flowchart LR
  a0["config/install-config"]
  a1["tls/root-ca"]
  a2[["ignition/worker"]]
  a0 --> a1
  a0 --> a2
  a1 --> a2
`);
  });

  it('shows the steps of an asset, one behind the other, as its own', () => {
    const pods = defineAsset({ name: 'pods', needs: { ca }, steps: ['observe', 'render'], make: () => 4 });
    expect(renderGraph('aio', [pods], 'dot').split('\n').slice(3)).toEqual([
      '  "config/install-config";',
      '  "tls/root-ca";',
      '  "pods";',
      '  "pods 1: observe" [style=dashed];',
      '  "pods 2: render" [style=dashed];',
      '  "pods" [style=bold];',
      '  "config/install-config" -> "tls/root-ca";',
      '  "tls/root-ca" -> "pods";',
      '  "pods 1: observe" -> "pods 2: render";',
      '  "pods 2: render" -> "pods";',
      '}',
      '',
    ]);
    expect(renderGraph('aio', [pods], 'mermaid')).toBe(`flowchart LR
  a0["config/install-config"]
  a1["tls/root-ca"]
  a2[["pods"]]
  s0(["pods 1: observe"])
  s1(["pods 2: render"])
  a0 --> a1
  a1 --> a2
  s0 --> s1
  s1 --> a2
`);
    expect(graphData('aio', [pods])).toMatchObject({
      assets: [{ name: 'config/install-config' }, {}, { name: 'pods', steps: ['observe', 'render'] }],
    });
  });

  it('lists JSON', () => {
    expect(graphData('worker', [pointer])).toEqual({
      target: 'worker',
      roots: ['ignition/worker'],
      assets: [
        { name: 'config/install-config', dependencies: [] },
        { name: 'tls/root-ca', dependencies: ['config/install-config'] },
        { name: 'ignition/worker', dependencies: ['config/install-config', 'tls/root-ca'] },
      ],
    });
  });
});
