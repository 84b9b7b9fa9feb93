import { problemsOf, failure, success, type Result } from '../../core/result.js';
import type { Problem } from '../../core/problem.js';
import { sealedName } from '../../disk/state/sealed-outputs.js';
import type { StateAccess } from '../../disk/state/state-access.js';
import { StoreFault } from '../../remote/object-store/store-fault.js';
import { FileChanged, SourceUnavailable } from '../../serve/answers/served-file.js';
import { packedCache } from '../../serve/media/site-media.js';
import { missingConfig, openConfig, type SiteConfigs } from '../../serve/site-configs.js';
import { liveConfigName } from '../../serve/site-folders.js';
import type { SiteStore } from './site-store.js';
import { storeProblem } from './store-problem.js';

export interface StoredConfigsOptions {
  /** Returns the sites; undefined while the store is empty. Throws StoreFault. Problems: those of `findFleetKey`. */
  readonly open: () => Promise<Result<SiteStore | undefined>>;
  readonly access: StateAccess;
  /** Monotonic clock. */
  readonly elapsedMs: () => number;
}

/** How long the ETag of a site is used without another request. */
const lookEveryMs = 5000;

/** As `lookEveryMs`, for sites that only the status page shows. */
const watchEveryMs = 5 * 60_000;

/** Decrypted configs in memory: a few hundred KiB each. */
const keptConfigs = 100;

/** Concurrent downloads of archives: about 600 KB each. */
const downloadsAtOnce = 8;

interface Look {
  readonly tag: Promise<Result<string | undefined>>;
  /** Absent while the request runs. */
  readonly answeredAtMs?: number;
}

/** Configs in the archives of a store. Archives are verified and decrypted in memory, and never written to disk. */
export function storedConfigs({ open, access, elapsedMs }: StoredConfigsOptions): SiteConfigs {
  const looks = new Map<string, Look>();
  const present = new Set<string>();
  const due = new Set<string>();
  const wasRead = new Set<string>();
  const cache = packedCache(keptConfigs);
  const inTurn = lanes(downloadsAtOnce);
  let isWatching = false;

  const isOlderThan = (site: string, ageMs: number): boolean => {
    const look = looks.get(site);
    return (
      look === undefined || (look.answeredAtMs !== undefined && elapsedMs() - look.answeredAtMs >= ageMs)
    );
  };
  const tagOf = (site: string): Promise<Result<string | undefined>> => {
    const before = looks.get(site);
    if (before !== undefined && !isOlderThan(site, lookEveryMs)) return before.tag;
    const tag = answerOf(async () => {
      const sites = await open();
      return sites.ok ? success(await sites.value?.tagOf(site)) : sites;
    });
    const next = { tag };
    looks.set(site, next);
    const end = (found?: Result<string | undefined>): void => {
      if (looks.get(site) !== next) return;
      if (found?.ok !== true) {
        looks.delete(site);
        return;
      }
      looks.set(site, { tag, answeredAtMs: elapsedMs() });
      if (found.value === undefined) present.delete(site);
      else present.add(site);
    };
    tag.then(end, () => {
      end();
    });
    return tag;
  };
  const download = async (site: string, tag: string): Promise<Buffer> => {
    const config = await answerOf(async () => {
      const sites = await open();
      if (!sites.ok) return sites;
      const archive = await sites.value?.fetch(site);
      if (archive?.tag !== tag) {
        looks.delete(site);
        throw new FileChanged();
      }
      const file = archive.files.find(({ path }) => names.has(path));
      if (file === undefined) return missing(`the archive of ${site} contains no ${liveConfigName}`);
      return openConfig(file.contents, `${file.path} of ${site}`, access);
    });
    if (!config.ok) throw new Unopened(problemsOf(config));
    return config.value;
  };
  const read = async (site: string, tag: string): Promise<Result<Buffer>> => {
    wasRead.add(site);
    try {
      return success(await cache(`${site}\0${tag}`, () => inTurn(() => download(site, tag))));
    } catch (error) {
      if (error instanceof Unopened) return failure(...error.problems);
      throw error;
    }
  };
  /** One request at a time. After a failure, waits for the next call of `watch`. */
  const lookAtDue = async (): Promise<void> => {
    for (const site of due) {
      due.delete(site);
      const isAnswered = await tagOf(site).then(
        ({ ok }) => ok,
        () => false,
      );
      if (!isAnswered) due.clear();
    }
  };
  return {
    find: async ({ name }) => {
      const tag = await tagOf(name);
      if (!tag.ok) return tag;
      const { value } = tag;
      if (value === undefined) return missing(`the store contains no outputs of ${name} yet`);
      return success({ mark: `${name}\0${value}`, read: () => read(name, value) });
    },
    isKnown: ({ name }) => present.has(name),
    wasRead: ({ name }) => wasRead.has(name),
    watch: (sites) => {
      for (const { name } of sites) if (isOlderThan(name, watchEveryMs)) due.add(name);
      if (isWatching) return;
      isWatching = true;
      void lookAtDue().finally(() => {
        isWatching = false;
      });
    },
  };
}

const names: ReadonlySet<string> = new Set([liveConfigName, sealedName(liveConfigName)]);

function missing(message: string): Result<never> {
  return missingConfig(message, 'create them with `sno-install fleet create --store`');
}

/** Keeps a failure out of the cache. */
class Unopened extends Error {
  constructor(readonly problems: readonly Problem[]) {
    super('the config cannot be opened');
  }
}

/** Returns damage and wrong keys as problems. Throws SourceUnavailable for other faults of the store. */
async function answerOf<T>(ask: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof StoreFault)) throw error;
    const found = storeProblem(error);
    if (error.kind === 'damaged' || error.kind === 'key') return failure(found);
    throw new SourceUnavailable([found]);
  }
}

/** Runs at most `count` tasks at the same time. */
function lanes(count: number): <T>(task: () => Promise<T>) => Promise<T> {
  const ends: Promise<unknown>[] = Array.from({ length: count }, () => Promise.resolve());
  let next = 0;
  return (task) => {
    const lane = next++ % count;
    const running = (ends[lane] ?? Promise.resolve()).then(task);
    ends[lane] = running.catch(() => undefined);
    return running;
  };
}
