import { failure, problemsOf, success, type Result } from '../../core/result.js';
import type { StateAccess } from '../../disk/state/state-access.js';
import type { StoreFault } from '../../remote/object-store/store-fault.js';
import type { Surroundings } from '../../run/effects/surroundings.js';
import type { SiteConfigs } from '../../serve/site-configs.js';
import { findFleetKey } from './fleet-key.js';
import { openRequestedStore } from './open-store.js';
import { siteStore, type SiteStore } from './site-store.js';
import { storedConfigs } from './stored-configs.js';

/** A machine that waits for its medium gets an answer within about half a minute. */
const limits = { patienceMs: 5000, requestTimeoutMs: 10_000 };

/** The store of `serve --store`. */
export interface ConfigStore {
  /** `s3://bucket/prefix`. */
  readonly store: string;
  /** The output folder, which may contain the fleet key. */
  readonly outputs: string;
  readonly access: StateAccess;
  /** Called with the reason for each retry. */
  readonly onWait: (fault: StoreFault) => void;
}

/** Opens the configs of a store. Problems: those of `openRequestedStore` and of `access.keys`. */
export async function openStoredConfigs(
  { store: address, outputs, access, onWait }: ConfigStore,
  surroundings: Surroundings,
  stop: AbortSignal,
): Promise<Result<{ readonly configs: SiteConfigs; readonly close: () => void }>> {
  const store = openRequestedStore({ store: address }, surroundings, stop, { ...limits, onWait });
  const keys = await access.keys();
  if (!store.ok || !keys.ok) return failure(...[store, keys].flatMap(problemsOf));
  let sites: SiteStore | undefined;
  const open = async (): Promise<Result<SiteStore | undefined>> => {
    if (sites !== undefined) return success(sites);
    const key = await findFleetKey(store.value, { outputs, isReadOnly: true, keys: keys.value });
    if (!key.ok) return key;
    if (key.value !== undefined) sites = siteStore(store.value, key.value);
    return success(sites);
  };
  return success({
    configs: storedConfigs({ open, access, elapsedMs: () => performance.now() }),
    close: store.value.close,
  });
}
