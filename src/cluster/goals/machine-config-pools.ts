import { byCodeUnit } from '../../core/compare.js';
import { fieldAt, listAt, textAt } from '../../kube/fields.js';
import { conditionOf } from '../condition.js';

/** Each pool of a list whose machines are not all on its configuration, in words. Source: openshift/api machineconfiguration/v1 */
export function poolsAtWork(list: object): readonly string[] {
  return listAt(list, ['items'])
    .flatMap((pool) => {
      const name = textAt(pool, ['metadata', 'name']) ?? '?';
      const [updated, degraded] = [conditionOf(pool, 'Updated'), conditionOf(pool, 'Degraded')];
      if (degraded.status === 'True') {
        return [
          `the machine config pool ${name} is Degraded${degraded.message === '' ? '' : `: ${degraded.message}`}`,
        ];
      }
      return updated.status === 'True' ? [] : [`the machine config pool ${name} is not Updated`];
    })
    .sort(byCodeUnit);
}

/** Source: openshift/machine-config-operator pkg/daemon/constants/constants.go */
const annotation = {
  current: 'machineconfiguration.openshift.io/currentConfig',
  desired: 'machineconfiguration.openshift.io/desiredConfig',
  state: 'machineconfiguration.openshift.io/state',
} as const;

/** Each node of a list that has not got its wanted configuration yet, and so may restart, in words. */
export function restartsDue(list: object): readonly string[] {
  return listAt(list, ['items'])
    .flatMap((node) => {
      const name = textAt(node, ['metadata', 'name']) ?? '?';
      const said = fieldAt(node, ['metadata', 'annotations']);
      const [current, desired, state] = [annotation.current, annotation.desired, annotation.state].map(
        (key) => textAt(said, [key]),
      );
      if (desired === undefined) return [`node ${name} has no machine config yet`];
      if (current !== desired) return [`node ${name} is to restart into another machine config`];
      return state === 'Done'
        ? []
        : [`node ${name} is at work on its machine config (${state ?? 'it does not say at what'})`];
    })
    .sort(byCodeUnit);
}
