import {
  findFleetKey,
  siteStore,
  type SiteStore,
  storedConfigs,
  openRequestedStore,
} from '../../fleet/store/index.js';
import { processSurroundings } from '../surroundings.js';
import type { GlobalOptions } from '../options.js';
import { failure, problemsOf, success, type Result } from '../../core/result.js';
import type { StateAccess } from '../../disk/state/state-access.js';
import type { SiteConfigs } from '../../serve/site-configs.js';
import { noteOf } from '../fleet/store/store-note.js';
import type { StorePlace } from './serve-options.js';

/** A machine that waits for its medium gets an answer within about half a minute. */
const limits = { patienceMs: 5000, requestTimeoutMs: 10_000 };

/** Opens the configs of `serve --store`. Problems: those of `openRequestedStore` and of `access.keys`. */
export async function openStoredConfigs(
  options: GlobalOptions,
  { address, outputs, access }: StorePlace & { readonly access: StateAccess },
  stop: AbortSignal,
): Promise<Result<{ readonly configs: SiteConfigs; readonly close: () => void }>> {
  const store = openRequestedStore({ ...options, store: address }, processSurroundings(), stop, {
    ...limits,
    onWait: noteOf(options),
  });
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
