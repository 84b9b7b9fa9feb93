import type { InstallConfig, MachinePool } from '../../../config/schema/install-config-schema.js';
import type { SnoConfig } from '../../../config/schema/sno-config-schema.js';
import type { Role } from '../../../kube/machine-config.js';
import type { GeneratedManifest } from '../../../manifests/edits/edits.js';
import { machineConfigManifest } from '../../../manifests/machine-config-files.js';
import { installConfig } from '../../config/install-config.js';
import { snoConfig } from '../../config/sno-config.js';
import { defineManifests } from '../family.js';

const roles: readonly Role[] = ['master', 'worker'];

/**
 * MachineConfigs for the machine settings of install-config.yaml. Those of workers are written even without workers,
 * since one may be added later. Source: openshift/installer pkg/asset/machines/machineconfig.
 */
export const machineConfigs = defineManifests({
  name: 'manifests/machine-configs',
  needs: { install: installConfig, sno: snoConfig },
  make: ({ install, sno }) => [
    ...sshManifests(install.sshKey),
    ...(install.fips ? roles.map(fipsManifest) : []),
    ...[install.controlPlane, ...install.compute].flatMap(hyperthreadingManifests),
    ...(isDualStack(install) ? rolesWithDynamicAddresses(sno).map(dualStackManifest) : []),
  ],
  alsoElsewhere: () => [
    { path: ['spec', 'config', 'passwd'], input: 'sshKey in install-config.yaml' },
    { path: ['spec', 'fips'], input: 'fips in install-config.yaml' },
  ],
});

function sshManifests(sshKey: string): readonly GeneratedManifest[] {
  if (sshKey === '') return [];
  const users = [{ name: 'core', sshAuthorizedKeys: sshKey.split('\n') }];
  return roles.map((role) => machineConfigManifest(role, `99-${role}-ssh`, { users }));
}

function fipsManifest(role: Role): GeneratedManifest {
  return machineConfigManifest(role, `99-${role}-fips`, { fips: true });
}

function hyperthreadingManifests({ name, hyperthreading }: MachinePool): readonly GeneratedManifest[] {
  if (hyperthreading === 'Enabled') return [];
  const role = name === 'master' ? 'master' : 'worker';
  const settings = { kernelArguments: ['nosmt', 'smt-enabled=off'] };
  return [machineConfigManifest(role, `99-${role}-disable-hyperthreading`, settings)];
}

/** Makes the initramfs request addresses of both IP families. */
function dualStackManifest(role: Role): GeneratedManifest {
  return machineConfigManifest(role, `99-dual-stack-${role}`, { kernelArguments: ['ip=dhcp,dhcp6'] });
}

function isDualStack({ networking }: InstallConfig): boolean {
  return networking.serviceNetwork.length === 2;
}

/** Roles without static addresses. The node's `ip=` argument or `network` setting would conflict with a second one. */
function rolesWithDynamicAddresses({ kernelArguments, network }: SnoConfig): readonly Role[] {
  const isStatic = network !== undefined || kernelArguments.some((argument) => argument.startsWith('ip='));
  return isStatic ? ['worker'] : roles;
}
