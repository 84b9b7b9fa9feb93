import type { Profile, NodeIdentity, Networks, ApiServerNames } from '../config/cluster-names.js';

/** What the names of a certificate are made from. */
export interface HostnameFacts {
  readonly profile: Profile;
  readonly node: NodeIdentity;
  readonly networks: Networks;
  readonly apiServer: ApiServerNames;
}
