import { problem, type Problem } from '../../core/problem.js';
import type { BmcUser } from '../../remote/redfish/authenticate.js';
import { openBmc, type BmcClient } from '../../remote/redfish/bmc-client.js';
import { BmcFault } from '../../remote/redfish/bmc-fault.js';
import type { Pacing } from '../../remote/redfish/pacing.js';
import type { BootSite } from './boot-targets.js';

/** A user of a BMC. */
export interface SiteBmcUser extends BmcUser {
  /** Place of the password, in words such as `the entry "north-*" of bmc.yaml.age`. */
  readonly source: string;
}

/** A site with the login of its BMC. */
export interface BootSession {
  readonly site: BootSite;
  readonly user: SiteBmcUser;
  /** Aborts at the site's time limit or when the run is stopped. */
  readonly pacing: Pacing;
}

/** Result of a visit: the value of the action, or why there is none. */
export type BmcVisit<T> =
  | { readonly state: 'done'; readonly value: T }
  | {
      readonly state: 'failed' | 'stopped';
      readonly words: string;
      readonly problems: readonly Problem[];
    };

/** Logs in to the BMC of a site, acts and logs out. Returns faults of the BMC; rethrows other errors. */
export async function visitBmc<T>(
  { site, user, pacing }: BootSession,
  hidden: readonly string[],
  act: (client: BmcClient) => Promise<T>,
): Promise<BmcVisit<T>> {
  const { trust, address } = site;
  try {
    const client = await openBmc({ origin: address.origin, user, trust, pacing, hidden });
    try {
      return { state: 'done', value: await act(client) };
    } finally {
      await client.leave();
    }
  } catch (error) {
    if (!(error instanceof BmcFault)) throw error;
    const words = error.message;
    if (error.kind === 'stopped') return { state: 'stopped', words, problems: [] };
    return { state: 'failed', words, problems: [problemOf(error, site, user)] };
  }
}

function problemOf(fault: BmcFault, { name, at, trustAt }: BootSite, { source }: SiteBmcUser): Problem {
  const message = `the BMC of ${name}: ${fault.message}`;
  switch (fault.kind) {
    case 'certificate':
      return problem('boot/untrusted', message, { at: trustAt, hint: trustHint(fault) });
    case 'unreachable':
      return problem('boot/unreachable', message, { at });
    case 'credentials':
      return problem('boot/login', message, {
        at,
        hint: `check ${source}`,
      });
    case 'unsupported':
      return problem('boot/unsupported', message, { at, hint: fault.hint });
    case 'occupied':
      return problem('boot/other-site', message, { at, hint: fault.hint });
    case 'refused':
    case 'stuck':
    case 'stopped':
      return problem('boot/refused', message, {
        at,
        hint: fault.hint ?? 'see the log of the BMC, then run the same command again',
      });
  }
}

function trustHint({ fingerprint }: BmcFault): string | undefined {
  return fingerprint === undefined
    ? undefined
    : `compare the fingerprint with the one that the BMC shows, then set boot.certificate to sha256:${fingerprint}`;
}
