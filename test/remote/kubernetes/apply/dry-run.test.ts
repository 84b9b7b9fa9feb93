import { expect, it } from 'vitest';

import { dryRunGoal } from '../../../../src/remote/kubernetes/apply/dry-run.js';
import { fakeCluster } from '../fake-cluster.js';

it('warns if the objects of earlier runs cannot be read', async () => {
  const { reader } = fakeCluster([{ fromSeconds: 0 }]);
  const client = {
    ...reader,
    send: () =>
      Promise.resolve({ kind: 'answer', status: 403, body: { message: 'configmaps is forbidden' } } as const),
  };
  const goal = dryRunGoal({ objects: [], removals: [] }, () => undefined);
  const result = await goal.look(client, new Date(0));
  expect(result).toMatchObject({
    kind: 'reached',
    warnings: [
      {
        code: 'apply/inventory',
        message: 'the list of applied objects cannot be read or written: configmaps is forbidden',
      },
    ],
  });
});
