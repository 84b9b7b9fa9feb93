import { fieldAt, textAt } from '../../../kube/fields.js';
import { isRecord } from '../../../core/is-record.js';
import type { FullVersion } from '../../../release/full-version.js';

/**
 * Gates for leaving the current minor version that the administrator has not acknowledged: `NAME: TEXT`. Both arguments are the
 * ConfigMaps. Source: openshift/cluster-version-operator pkg/risk/adminack: the gate's name starts with `ack-4.20-`, and only the
 * value `true` in openshift-config/admin-acks acknowledges it.
 */
export function missingAcks(gates: unknown, acks: unknown, current: FullVersion): readonly string[] {
  const data = fieldAt(gates, ['data']);
  if (!isRecord(data)) return [];
  return Object.entries(data)
    .flatMap(([name, text]) => {
      const [, minor] = /^ack-(\d+\.\d+)-[^-]/.exec(name) ?? [];
      if (minor !== `${current.major}.${current.minor}` || textAt(acks, ['data', name]) === 'true') return [];
      const reason = typeof text === 'string' ? text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim() : '';
      return [reason === '' ? name : `${name}: ${reason.slice(0, 240)}`];
    })
    .sort();
}
