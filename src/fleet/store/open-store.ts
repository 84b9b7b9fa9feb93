import type { Surroundings } from '../../run/effects/surroundings.js';
import { failure, problemsOf, success, type Result } from '../../core/result.js';
import { environmentProxy } from '../../remote/http/proxy.js';
import { openStore, type ObjectStore } from '../../remote/object-store/object-store.js';
import { storeAddress } from '../../remote/object-store/store-address.js';
import { credentialSource } from '../../remote/object-store/store-credentials.js';
import type { StoreFault } from '../../remote/object-store/store-fault.js';
import { storeAuthorities } from '../../remote/object-store/store-authorities.js';

/** Concurrent requests; more do not increase the throughput of a store. */
export const sitesAtOnce = 8;

/** Retry period, so that a run survives a store restart or an outage of a few minutes. */
const longPatienceMs = 5 * 60_000;

/** Time for requests in progress to finish after the user stops the run. */
const graceMs = 15_000;

interface StoreUse {
  readonly option?: '--index';
  /** Retry period of a request. */
  readonly patienceMs?: number;
  readonly requestTimeoutMs?: number;
  /** Called with the reason for each retry. */
  readonly onWait?: (fault: StoreFault) => void;
}

/**
 * Creates a store client without sending a request. Problems: store/address, store/credentials, usage/proxy, usage/unreadable-file
 * (AWS_CA_BUNDLE).
 */
export function openRequestedStore(
  options: { readonly store: string },
  { variables, present, randomNumber }: Surroundings,
  stop: AbortSignal,
  { option, patienceMs = longPatienceMs, requestTimeoutMs, onWait }: StoreUse = {},
): Result<ObjectStore> {
  const address = storeAddress(options.store, variables, option);
  const credentials = credentialSource(variables);
  const authorities = storeAuthorities(variables);
  const proxy = environmentProxy(variables);
  if (!address.ok || !credentials.ok || !authorities.ok || !proxy.ok)
    return failure(...[address, credentials, authorities, proxy].flatMap(problemsOf));
  const store = openStore({
    address: address.value,
    credentials: credentials.value,
    ...authorities.value,
    proxy: proxy.value,
    ...(requestTimeoutMs !== undefined && { requestTimeoutMs }),
    // Loaded on demand, because the module that starts processes is slow to load.
    run: async (words, limits) => {
      const { outputOfProgram } = await import('../../run/effects/run-program.js');
      return outputOfProgram(words, limits);
    },
    patience: {
      patienceMs,
      end: graceAfter(stop),
      randomNumber,
      elapsedMs: () => performance.now(),
      ...(onWait && { onWait }),
    },
    now: present,
  });
  return success(store);
}

function graceAfter(stop: AbortSignal): AbortSignal {
  const controller = new AbortController();
  stop.addEventListener('abort', () => {
    setTimeout(() => {
      controller.abort();
    }, graceMs).unref();
  });
  return controller.signal;
}
