import { byCodeUnit } from '../../core/compare.js';
import { asks } from '../kept-draws.js';
import type { RehearsedDraws } from '../rehearsal.js';

/** A rehearsal that notes which RSA keys are asked for: the only draws that take long. */
export interface NotedDraws extends RehearsedDraws {
  /** Labels as the state file has them, sorted. */
  readonly askedKeys: () => readonly string[];
}

/** Notes what is asked of a rehearsal. */
export function notedDraws(hand: RehearsedDraws): NotedDraws {
  const asked = new Set<string>();
  return {
    ...hand,
    draws: {
      ...hand.draws,
      rsaKey: (name, bits) => {
        asked.add(asks.rsaKey(name, bits).label);
        return hand.draws.rsaKey(name, bits);
      },
    },
    askedKeys: () => [...asked].sort(byCodeUnit),
  };
}
