import type { Problem } from '../core/problem.js';
import type { StateAccess } from '../disk/state/state-access.js';
import {
  fingerprintOfSources,
  siteCatalogue,
  type ServedSite,
  type SiteCatalogue,
} from './site-catalogue.js';
import type { SiteFolder } from './site-folders.js';
import { readServingState, type ServingState } from './tokens/serving-state.js';
import { usedTokensPath, writeUsedTokens, type UsedTokens } from './tokens/used-tokens.js';

export interface SiteSources {
  readonly folders: readonly string[];
  /** Sites that need no folder. */
  readonly listed?: readonly SiteFolder[];
  readonly tokensPath: string;
  readonly access: StateAccess;
}

/** The current sites and tokens. Added sites and revoked tokens take effect without a restart. */
export interface LiveSites {
  /** Returns the site of a valid token. */
  find(token: string): ServedSite | undefined;
  readonly all: () => readonly ServedSite[];
  readonly state: () => ServingState;
  /** Reloads after a change. Checks at most once a second. */
  refresh(now: Date): Promise<void>;
  /** Invalidates a one-download token. */
  end(site: ServedSite): void;
  /** Whether a one-download token is already used. */
  isUsed(site: ServedSite): boolean;
}

const lookEveryMs = 1000;

/** Watches the site folders and the token file. If one cannot be read, reports the problem and keeps the previous state. */
export function liveSites(
  places: SiteSources,
  {
    state: first,
    catalogue: known,
    used: usedBefore,
    onProblems,
  }: {
    readonly state: ServingState;
    readonly catalogue: SiteCatalogue;
    readonly used: UsedTokens;
    readonly onProblems: (problems: readonly Problem[]) => void;
  },
): LiveSites {
  const { folders, listed, tokensPath, access } = places;
  let [state, catalogue, used]: [ServingState, SiteCatalogue, UsedTokens] = [first, known, usedBefore];
  // Undefined, so that the first refresh reads all again: the initial state may be old.
  let mark: string | undefined;
  let [reportedFor, lookedAt]: [string | undefined, number] = [undefined, 0];
  const isUsed = ({ name, generation }: ServedSite): boolean =>
    Object.hasOwn(used, name) && used[name] === generation;
  /** Returns whether everything could be read. */
  const readAnew = async (present: string): Promise<boolean> => {
    const written = await readServingState(tokensPath, access);
    const next = written.ok ? (written.value?.state ?? state) : state;
    const found = siteCatalogue(folders, next, listed);
    // Retry while files stay unreadable, but report each state of the files once.
    if (present !== reportedFor)
      onProblems([written, found].flatMap((each) => (each.ok ? [] : each.problems)));
    reportedFor = present;
    if (found.ok) [state, catalogue] = [next, found.value];
    return written.ok && found.ok;
  };
  return {
    all: () => catalogue.sites,
    state: () => state,
    find: (token) => {
      const site = catalogue.byToken.find(token);
      return site === undefined || isUsed(site) ? undefined : site;
    },
    refresh: async (now) => {
      if (now.getTime() - lookedAt < lookEveryMs) return;
      lookedAt = now.getTime();
      const present = fingerprintOfSources(folders, tokensPath);
      if (present === mark) return;
      if (await readAnew(present)) mark = present;
    },
    isUsed,
    end: (site) => {
      if (isUsed(site)) return;
      used = { ...used, [site.name]: site.generation };
      const written = writeUsedTokens(usedTokensPath(tokensPath), used);
      if (!written.ok) onProblems(written.problems);
    },
  };
}
