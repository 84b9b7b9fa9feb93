import { failure, problemsOf, success, type Result } from '../../../core/result.js';
import type { GlobalOptions } from '../../options.js';
import { isLogged } from '../../output/report.js';
import { environmentProxy } from '../../../remote/http/proxy.js';
import { openStore, type ObjectStore } from '../../../remote/object-store/object-store.js';
import { storeAddress } from '../../../remote/object-store/store-address.js';
import { credentialSource } from '../../../remote/object-store/store-credentials.js';
import type { StoreFault } from '../../../remote/object-store/store-fault.js';
import { storeAuthorities } from './store-authorities.js';
import { isData } from '../../output/data.js';

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
}

/**
 * Creates a store client without sending a request. Problems: store/address, store/credentials, usage/proxy, usage/unreadable-file
 * (AWS_CA_BUNDLE).
 */
export function openRequestedStore(
  options: GlobalOptions & { readonly store: string },
  stop: AbortSignal,
  { option, patienceMs = longPatienceMs, requestTimeoutMs }: StoreUse = {},
): Result<ObjectStore> {
  const address = storeAddress(options.store, process.env, option);
  const credentials = credentialSource(process.env);
  const authorities = storeAuthorities(process.env);
  const proxy = environmentProxy(process.env);
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
      const { outputOfProgram } = await import('../../../run/effects/state-command.js');
      return outputOfProgram(words, limits);
    },
    patience: {
      patienceMs,
      end: graceAfter(stop),
      randomNumber: Math.random,
      elapsedMs: () => performance.now(),
      onWait: noteOf(options),
    },
    now: () => new Date(),
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

/** Prints the reason for retries, at most every 30 seconds. */
function noteOf(options: GlobalOptions): (fault: StoreFault) => void {
  let reportedAt: number | undefined;
  return ({ message }) => {
    const now = performance.now();
    if (isData(options) || !isLogged(options, 'info')) return;
    if (reportedAt !== undefined && now - reportedAt < 30_000) return;
    reportedAt = now;
    process.stderr.write(`the store does not answer (${message}); retrying\n`);
  };
}
