import { problem, type Problem } from '../../core/problem.js';
import { maskedWord, quoted } from '../../core/quoted.js';
import { defineAsset } from '../../graph/asset.js';
import { manifestFieldPlace } from '../../kube/manifest-place.js';
import { machineDemand, type MachineDemand } from '../../manifests/checks/machine-demand.js';
import { isPathOf } from '../../media/libvirt/virtual-disk.js';
import { virtualMachine, type VirtualMachine } from '../../media/libvirt/virtual-machine.js';
import { installConfig } from '../config/install-config.js';
import { installReading } from '../config/install-reading.js';
import { snoConfig, snoReading } from '../config/sno-config.js';
import { postInstallReading } from '../manifests/manifest-files.js';
import { userManifests } from '../manifests/user-manifests.js';

/** A virtual machine with the problems of its settings. */
export interface JudgedMachine {
  readonly machine: VirtualMachine;
  readonly problems: readonly Problem[];
  /** Problems of the virtual network, which a machine on a bridge of the host does not use. */
  readonly networkProblems: readonly Problem[];
}

/** The virtual machine of the configs. Its problems, libvirt/…, are part of the value. */
export const libvirtMachine = defineAsset({
  name: 'media/libvirt-machine',
  needs: {
    ...{ install: installConfig, sno: snoConfig, installed: installReading, described: snoReading },
    ...{ users: userManifests, later: postInstallReading },
  },
  make: ({ install, sno, installed, described, users, later }): JudgedMachine => {
    const applied = later.objects.map((each) => ({
      ...{ ...each, text: '', isSecret: false, origin: 'added' as const },
    }));
    const demand = machineDemand([...users.flatMap(({ manifests }) => manifests), ...applied]);
    const { machine, findings } = virtualMachine(install, sno, demand);
    return {
      machine,
      problems: [
        ...(installed.draft?.judge(findings.install) ?? []),
        ...described.judge(findings.sno),
        ...demand.disks.filter(({ device }) => !isPathOf(device, machine.disk)).map(otherDiskProblem),
      ],
      networkProblems: described.judge(findings.network),
    };
  },
});

function otherDiskProblem({ device, machineConfig, source, path }: MachineDemand['disks'][number]): Problem {
  const name = maskedWord(machineConfig);
  const message = `MachineConfig ${name} partitions ${quoted(device)}, and the virtual machine has only the installation disk`;
  return problem('libvirt/disk', message, {
    ...(source && { at: manifestFieldPlace(source, path) }),
    hint: 'remove the disk in the copy of the config for the virtual machine',
  });
}
