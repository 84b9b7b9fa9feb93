import { describingHints, namingHints } from '../disk-hint-rows.js';
import type { FieldRow } from '../field-rows.js';

const sno = 'sno-config.yaml';
const boot = 'whoever boots the machine needs it, and no config does; in a fleet it is a column of the table';

/** Every field of agent-config.yaml. Source: openshift/installer pkg/types/agent/agent_config_type.go */
export const agentFields: readonly FieldRow[] = [
  { field: 'apiVersion', needless: 'ours have their own' },
  { field: 'kind', needless: 'ours have their own' },
  { field: 'metadata', needless: 'the cluster is called as in install-config.yaml' },
  { field: 'rendezvousIP', to: `${sno} nodeIP` },
  { field: 'additionalNTPSources', to: `${sno} ntpSources` },
  { field: 'hosts', to: 'the next table' },
  {
    field: 'bootArtifactsBaseURL',
    hint: 'say it when a medium is made: create single-node-pxe --rootfs, or create single-node-iso --minimal',
    isShown: true,
  },
  {
    field: 'ipxeBaseURL',
    hint: 'say it when a medium is made: create single-node-pxe --rootfs',
    isShown: true,
  },
  {
    field: 'minimalISO',
    hint: 'say it when a medium is made: create single-node-iso --minimal',
    isShown: true,
  },
];

/** Every field of a host in agent-config.yaml. Source: the same file. */
export const hostFields: readonly FieldRow[] = [
  { field: 'hostname', to: `${sno} hostname` },
  { field: 'networkConfig', to: `${sno} network` },
  { field: 'interfaces', to: `${sno} network.interfaces[].mac-address` },
  ...namingHints,
  ...describingHints,
  { field: 'role', needless: 'the one node is of the control plane; workers are refused' },
  { field: 'bmc', hint: boot },
  { field: 'BMC', hint: boot },
  { field: 'fencing', hint: 'a single node is fenced by nobody' },
];
