import type { FreeKits } from '../../disk/keypool/free-kits.js';
import { needName, type KeyNeed } from '../../disk/keypool/key-kit.js';

/** Sites that draw the same keys. */
export interface NeedOfSites {
  readonly need: KeyNeed;
  readonly sites: readonly string[];
}

/** How many kits of a need are to be drawn. */
export interface KitOrder {
  readonly need: KeyNeed;
  readonly kits: number;
}

/** How far a pool is to be filled: until it holds so many keys, or a kit for each site that has none. */
export type FillGoal = { readonly keys: number } | 'sites';

/** What sites draw, those together that draw the same; sites that draw nothing that takes long are left out. */
export function needsOfSites(
  sites: readonly { readonly name: string; readonly need: KeyNeed }[],
): readonly NeedOfSites[] {
  const found = new Map<string, { readonly need: KeyNeed; readonly sites: string[] }>();
  for (const { name, need } of sites) {
    if (need.labels.length === 0) continue;
    const known = found.get(needName(need)) ?? { need, sites: [] };
    known.sites.push(name);
    found.set(needName(need), known);
  }
  return [...found.values()];
}

/** What is to be drawn so that a pool holds what sites need, in the proportion in which they need it. */
export function planKits(
  needs: readonly NeedOfSites[],
  {
    free,
    served,
    goal,
  }: {
    readonly free: readonly FreeKits[];
    /** Sites that a kit was given to. */
    readonly served: ReadonlySet<string>;
    readonly goal: FillGoal;
  },
): readonly KitOrder[] {
  const held = new Map(free.map(({ need, ids }) => [needName(need), ids.length]));
  const plan = needs.map(({ need, sites }) => ({
    need,
    sites: sites.length,
    lacking: sites.filter((name) => !served.has(name)).length,
    held: held.get(needName(need)) ?? 0,
    kits: 0,
  }));
  if (goal === 'sites') {
    return plan.map(({ need, lacking, held: has }) => ({ need, kits: Math.max(0, lacking - has) }));
  }
  let keys = free.reduce((sum, { need, ids }) => sum + need.labels.length * ids.length, 0);
  while (keys < goal.keys) {
    const [next] = plan.toSorted((one, other) => filled(one) - filled(other));
    if (next === undefined) break;
    next.kits += 1;
    keys += next.need.labels.length;
  }
  return plan.map(({ need, kits }) => ({ need, kits }));
}

/** For which part of its sites a need has kits. */
function filled(each: { readonly held: number; readonly kits: number; readonly sites: number }): number {
  return (each.held + each.kits) / each.sites;
}

/** The kits of a plan one by one, in an order that serves every need from the beginning on. */
export function kitByKit(plan: readonly KitOrder[]): readonly KeyNeed[] {
  const all = plan.reduce((sum, { kits }) => sum + kits, 0);
  return plan
    .flatMap(({ need, kits }) =>
      Array.from({ length: kits }, (_, index) => ({ need, at: ((index + 1) * all) / kits })),
    )
    .sort((one, other) => one.at - other.at)
    .map(({ need }) => need);
}
