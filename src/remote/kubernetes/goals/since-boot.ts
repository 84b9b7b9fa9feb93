import { textAt } from '../../../kube/fields.js';
import { isSuccess } from '../apply/api-answer.js';
import type { ClusterClient } from '../reader.js';
import type { Goal } from '../wait.js';

/** Difference of the clocks of the node and of this machine that is tolerated. */
const skewMs = 10 * 60_000;

/**
 * The goal, reached by a cluster that was installed after `bootedAt`. A machine that starts from its disk instead of the medium runs its
 * earlier cluster, which has the same keys. The API creates the namespace kube-system when its database is new.
 */
export function sinceBoot(goal: Goal, bootedAt: Date): Goal<ClusterClient> {
  return {
    ...goal,
    look: async (client, present) => {
      const result = await goal.look(client, present);
      if (result.kind !== 'reached') return result;
      const answer = await client.send({ path: '/api/v1/namespaces/kube-system' });
      if (answer.kind === 'fault') return answer;
      if (!isSuccess(answer)) return { kind: 'waiting', message: 'the namespace kube-system cannot be read' };
      const created = textAt(answer.body, ['metadata', 'creationTimestamp']) ?? '';
      if (new Date(created).getTime() >= bootedAt.getTime() - skewMs) return result;
      return {
        kind: 'waiting',
        message: `the API belongs to a cluster installed at ${created}: the machine did not install from the medium, or its clock is wrong`,
      };
    },
  };
}
