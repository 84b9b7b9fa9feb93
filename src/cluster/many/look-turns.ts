/** Whether what is looked at has answered the last time it was; what was not looked at yet has not. */
export type LookLane = 'answering' | 'silent';

/** Turns of looks: so many are under way at a time. */
export interface LookTurns {
  /** Does the work once it has its turn: first come, first served within a lane. */
  take<T>(lane: LookLane, work: () => Promise<T>): Promise<T>;
}

/**
 * So many turns at a time, a quarter of them for what answers: that costs CPU, and more of it at once would be late for the time of a question.
 * The others are for what is silent, which keeps its turn for long and costs nothing; it never keeps what answers waiting. One turn alone is everybody's.
 */
export function lookTurns(jobs: number): LookTurns {
  const answering = Math.max(1, Math.floor(jobs / 4));
  const most = { answering, silent: Math.max(1, jobs - answering) };
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
