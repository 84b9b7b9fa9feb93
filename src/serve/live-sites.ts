import type { Problem } from '../core/problem.js';
import type { StateAccess } from '../disk/state/state-access.js';
import { markOfAll, siteCatalogue, type ServedSite, type SiteCatalogue } from './site-catalogue.js';
import { readServingState, type ServingState } from './tokens/serving-state.js';
import { usedTokensPath, writeUsedTokens, type UsedTokens } from './tokens/used-tokens.js';

/** Where sites and tokens are. */
export interface SitePlaces {
  readonly folders: readonly string[];
  readonly tokensPath: string;
  readonly access: StateAccess;
}

/** Sites and tokens as they are at the moment: what is added, and what is taken back, counts at once. */
export interface LiveSites {
  /** The site of a token that is good. */
  find(token: string): ServedSite | undefined;
  readonly all: () => readonly ServedSite[];
  readonly state: () => ServingState;
  /** Looks whether anything has changed, at most once a second. */
  refresh(now: Date): Promise<void>;
  /** Ends a token that was good for one download. */
  end(site: ServedSite): void;
  /** Whether a token has ended so. */
  isEnded(site: ServedSite): boolean;
}

const lookEveryMs = 1000;

/** Follows sites and tokens; what cannot be read is told, and what was known before holds on. */
export function liveSites(
  places: SitePlaces,
  {
    state: first,
    catalogue: known,
    used: usedBefore,
    tell,
  }: {
    readonly state: ServingState;
    readonly catalogue: SiteCatalogue;
    readonly used: UsedTokens;
    readonly tell: (problems: readonly Problem[]) => void;
  },
): LiveSites {
  const { folders, tokensPath, access } = places;
  let [state, catalogue, used]: [ServingState, SiteCatalogue, UsedTokens] = [first, known, usedBefore];
  // What changed since they were read, which may be long ago, is found by the first look.
  let mark: string | undefined;
  let [toldOf, lookedAt]: [string | undefined, number] = [undefined, 0];
  const isEnded = ({ name, generation }: ServedSite): boolean =>
    Object.hasOwn(used, name) && used[name] === generation;
  /** Whether all of it could be read. */
  const readAnew = async (present: string): Promise<boolean> => {
    const written = await readServingState(tokensPath, access);
    const next = written.ok ? (written.value?.state ?? state) : state;
    const found = siteCatalogue(folders, next);
    // What stays unreadable is tried again, and told once.
    if (present !== toldOf) tell([written, found].flatMap((each) => (each.ok ? [] : each.problems)));
    toldOf = present;
    if (found.ok) [state, catalogue] = [next, found.value];
    return written.ok && found.ok;
  };
  return {
    all: () => catalogue.sites,
    state: () => state,
    find: (token) => {
      const site = catalogue.byToken.find(token);
      return site === undefined || isEnded(site) ? undefined : site;
    },
    refresh: async (now) => {
      if (now.getTime() - lookedAt < lookEveryMs) return;
      lookedAt = now.getTime();
      const present = markOfAll(folders, tokensPath);
      if (present === mark) return;
      if (await readAnew(present)) mark = present;
    },
    isEnded,
    end: (site) => {
      if (isEnded(site)) return;
      used = { ...used, [site.name]: site.generation };
      const written = writeUsedTokens(usedTokensPath(tokensPath), used);
      if (!written.ok) tell(written.problems);
    },
  };
}
