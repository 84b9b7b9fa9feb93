import { problem, type Problem } from '../../core/problem.js';
import { embedded } from '../../fleet/cluster-instances/embedded.js';
import { nodeField, type Instance } from '../../fleet/cluster-instances/instances.js';
import { pathText } from '../../formats/yaml/yaml-tree.js';
import type { Origin } from '../../fleet/traced.js';
import { configFile } from '../configs-of-site.js';
import type { ImportedFile } from '../imported-site.js';
import { tracedMap, tracedNode, tracedText } from '../tracing.js';

const name = '99-master-ignition-override';

/**
 * The node's own Ignition config as a MachineConfig, by which it reaches the installed node as it did from the hub.
 * Problems: import/malformed.
 */
export function ignitionOverride(instance: Instance): {
  readonly files: readonly ImportedFile[];
  readonly problems: readonly Problem[];
} {
  const found = nodeField(instance, ['ignitionConfigOverride']);
  if (found === undefined) return { files: [], problems: [] };
  const { file } = instance.resource;
  const origin: Origin = { at: { file, path: pathText(found.path), ...found.node.span } };
  const config = found.node.kind === 'scalar' ? embedded(found.node) : undefined;
  if (config?.kind !== 'map') {
    const message = 'ignitionConfigOverride is no object of JSON';
    return {
      files: [],
      problems: [
        problem('import/malformed', message, { at: origin.at, hint: 'write an Ignition config in JSON' }),
      ],
    };
  }
  const root = tracedMap(
    {
      apiVersion: tracedText('machineconfiguration.openshift.io/v1', origin),
      kind: tracedText('MachineConfig', origin),
      metadata: tracedMap(
        {
          labels: tracedMap(
            { 'machineconfiguration.openshift.io/role': tracedText('master', origin) },
            origin,
          ),
          name: tracedText(name, origin),
        },
        origin,
      ),
      spec: tracedMap({ config: tracedNode(config, file, found.path) }, origin),
    },
    origin,
  );
  return { files: [configFile(`openshift/${name}.yaml`, root)], problems: [] };
}
