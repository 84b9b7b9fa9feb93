import { isRecord } from '../../core/is-record.js';
import { problem, type Problem } from '../../core/problem.js';
import { quotedName } from '../../core/quoted.js';
import { suggestionOr } from '../../core/suggest.js';
import { nodeAt, pathText, type FieldPath, type YamlNode } from '../../formats/yaml/yaml-tree.js';
import { stateFaults, type StateFault } from '../../ignition/foreign/network-state-faults.js';
import { fieldAt } from '../../kube/fields.js';
import { groupOf } from '../../kube/identity.js';
import { manifestFieldPlace } from '../../kube/manifest-place.js';
import type { SourcedObject } from '../../kube/manifest.js';
import type { KubeObject } from '../../kube/object.js';

/** A reference that nmstate resolves, with the name of the capture. */
export const captureReference = /\{\{\s*capture\.([\w-]+)/;

export function isNetworkPolicy({ apiVersion, kind }: KubeObject): boolean {
  return kind === 'NodeNetworkConfigurationPolicy' && groupOf(apiVersion) === 'nmstate.io';
}

/**
 * Reports network states of NodeNetworkConfigurationPolicies that nmstate refuses or ignores in part. The API server accepts any
 * object there. Problems: manifest/network-policy, manifest/ignored-field.
 * Source: kubernetes-nmstate api/shared/nodenetworkconfigurationpolicy_types.go
 */
export function networkPolicyProblems(objects: readonly SourcedObject[]): readonly Problem[] {
  return objects.flatMap(({ object, source }) => {
    const path = ['spec', 'desiredState'];
    const state = nodeAt(source.root, path);
    if (!isNetworkPolicy(object) || state?.kind !== 'map') return [];
    const capture = fieldAt(object, ['spec', 'capture']);
    const captures = isRecord(capture) ? Object.keys(capture) : [];
    return [...stateFaults(state, []), ...captureFaults(state, captures, [])].map((fault) => {
      const at = manifestFieldPlace(source, [...path, ...fault.path], fault.target);
      const { message, hint } = fault;
      return fault.isIgnored
        ? problem('manifest/ignored-field', `desiredState ${message}, which nmstate ignores`, { at, hint })
        : problem('manifest/network-policy', `desiredState ${message}, so nmstate refuses the policy`, {
            at,
            hint,
          });
    });
  });
}

/** References to captures that the policy does not have. */
function captureFaults(node: YamlNode, captures: readonly string[], path: FieldPath): readonly StateFault[] {
  switch (node.kind) {
    case 'list':
      return node.items.flatMap((item, index) => captureFaults(item, captures, [...path, index]));
    case 'map':
      return node.entries.flatMap(({ key, value }) => captureFaults(value, captures, [...path, key]));
    case 'scalar': {
      const [, name] = captureReference.exec(node.text) ?? [];
      if (name === undefined || captures.includes(name)) return [];
      const message = `has a reference to ${quotedName(name)} in ${pathText(path)}, which is not in spec.capture`;
      const hint = suggestionOr(name, captures, 'add the capture to spec.capture');
      return [{ path, target: 'value', isIgnored: false, message, hint }];
    }
  }
}
