import { diskHintRows } from '../disk-hint-rows.js';
import type { FieldRow } from '../field-rows.js';

const sno = 'sno-config.yaml';
const boot =
  'only needed to boot the machine, not for the installation; in a fleet it becomes a column of the table';

/** Every field of agent-config.yaml. Source: openshift/installer pkg/types/agent/agent_config_type.go */
export const agentFields: readonly FieldRow[] = [
  { field: 'apiVersion', needless: 'the generated files have their own' },
  { field: 'kind', needless: 'the generated files have their own' },
  { field: 'metadata', needless: 'install-config.yaml sets the cluster name' },
  { field: 'rendezvousIP', to: `${sno} nodeIP` },
  { field: 'additionalNTPSources', to: `${sno} ntpSources` },
  { field: 'hosts', to: 'see the next table' },
  {
    field: 'bootArtifactsBaseURL',
    hint: 'use `create pxe --rootfs` or `create iso --minimal` instead',
    isShown: true,
  },
  {
    field: 'ipxeBaseURL',
    hint: 'use `create pxe --rootfs` instead',
    isShown: true,
  },
  {
    field: 'minimalISO',
    hint: 'use `create iso --minimal` instead',
    isShown: true,
  },
];

/** Every field of a host in agent-config.yaml. Source: the same file. */
export const hostFields: readonly FieldRow[] = [
  { field: 'hostname', to: `${sno} hostname` },
  { field: 'networkConfig', to: `${sno} network` },
  { field: 'interfaces', to: `${sno} network.interfaces[].mac-address` },
  ...diskHintRows,
  { field: 'role', needless: 'must be master; other roles are rejected' },
  { field: 'bmc', hint: boot },
  { field: 'BMC', hint: boot },
  { field: 'fencing', hint: 'fencing needs a second node' },
];
