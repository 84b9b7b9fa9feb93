/** Whether what is looked at has answered the last time it was. */
export type LookLane = 'answering' | 'silent';

/** Turns of looks: so many are under way at a time. */
export interface LookTurns {
  /** Does the work once it has its turn: first come, first served within a lane. */
  take<T>(lane: LookLane, work: () => Promise<T>): Promise<T>;
}

/**
 * So many turns at a time; of these what was silent, and may keep its turn for long, has half at most, so that what answers is never kept
 * waiting by it. One turn alone is everybody's.
 */
export function lookTurns(jobs: number): LookTurns {
  const most = { answering: jobs, silent: Math.ceil(jobs / 2) };
  const held = { answering: 0, silent: 0 };
  const queues: Readonly<Record<LookLane, (() => void)[]>> = { answering: [], silent: [] };
  const isFree = (lane: LookLane): boolean => held.answering + held.silent < jobs && held[lane] < most[lane];
  const next = (): void => {
    for (const lane of ['answering', 'silent'] as const)
      while (isFree(lane)) {
        const begin = queues[lane].shift();
        if (begin === undefined) break;
        held[lane] += 1;
        begin();
      }
  };
  return {
    take: async (lane, work) => {
      await new Promise<void>((begin) => {
        queues[lane].push(begin);
        next();
      });
      try {
        return await work();
      } finally {
        held[lane] -= 1;
        next();
      }
    },
  };
}
