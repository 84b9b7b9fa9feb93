import { aioDistributions } from '../../config/aio-distributions.js';
import { rfc3339 } from '../../core/rfc3339.js';
import type { KeyAlgorithm, SnoConfig } from '../../config/schema/sno-config-schema.js';
import { quotedValue } from '../live/env-value.js';
import { runtimes } from './aio-paths.js';
import { resolvConf } from './kubelet.js';
import type { NodeFacts } from './node-facts.js';
import { bootstrapperBindingName } from './first-boot-objects.js';

export interface AioEnvironment {
  readonly sno: SnoConfig;
  readonly facts: NodeFacts;
  readonly window: { readonly notBefore: Date; readonly bootableUntil: Date };
}

/** The env file of the node's scripts: one `NAME='value'` per line. */
export function aioEnvFile(given: AioEnvironment): string {
  const lines = variables(given).map(([name, value]) => `${name}=${quotedValue(name, value)}`);
  return `# Settings of the scripts on this node, read with source.\n${lines.join('\n')}\n`;
}

/** The first group has the names that scripts shared with the live system use. */
function variables({ sno, facts, window }: AioEnvironment): readonly (readonly [`SNO_${string}`, string])[] {
  const { distribution, certificates } = sno.controlPlane;
  const { operatingSystem } = sno.aio;
  return [
    ['SNO_CLUSTER_NAME', facts.apiServer.clusterName],
    ['SNO_HOSTNAME', facts.nodeName],
    ['SNO_NODE_IP', facts.nodeAddress ?? ''],
    ['SNO_MACHINE_NETWORKS', facts.networks.machineNetwork.join(' ')],
    ['SNO_IP_FAMILY', facts.networks.family === 'IPv6' ? '6' : '4'],
    ['SNO_NOT_BEFORE', epochSeconds(window.notBefore)],
    ['SNO_NOT_AFTER', epochSeconds(window.bootableUntil)],

    ['SNO_BOOTSTRAPPER_BINDING', bootstrapperBindingName],
    ['SNO_NODE_ROLES', aioDistributions[distribution].nodeRoles.join(' ')],
    ['SNO_RUNTIME_UNIT', runtimes[operatingSystem].unit],
    ['SNO_RESOLV_CONF', resolvConf(operatingSystem)],
    ['SNO_LEAF_SECONDS', String(certificates.leavesSeconds)],
    ['SNO_BACKDATE_SECONDS', String(sno.certificates.backdateSeconds)],
    ['SNO_KEY_USAGE', keyUsage(sno.certificates.keyAlgorithm)],
  ];
}

/** Key usage of renewed certificates: only RSA keys can encipher keys (RFC 5280 §4.2.1.3, RFC 8422 §5.3). */
function keyUsage(algorithm: KeyAlgorithm): string {
  return algorithm.startsWith('RSA') ? 'digitalSignature,keyEncipherment' : 'digitalSignature';
}

function epochSeconds(date: Date): string {
  return String(Math.trunc(Date.parse(rfc3339(date)) / 1000));
}
