import type { Problem } from '../../core/problem.js';
import { defineAsset } from '../../graph/asset.js';
import { virtualMachine, type VirtualMachine } from '../../media/libvirt/virtual-machine.js';
import { installConfig } from '../config/install-config.js';
import { installReading } from '../config/install-reading.js';
import { snoConfig, snoReading } from '../config/sno-config.js';

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
  needs: { install: installConfig, sno: snoConfig, installed: installReading, described: snoReading },
  make: ({ install, sno, installed, described }): JudgedMachine => {
    const { machine, findings } = virtualMachine(install, sno);
    return {
      machine,
      problems: [...(installed.draft?.judge(findings.install) ?? []), ...described.judge(findings.sno)],
      networkProblems: described.judge(findings.network),
    };
  },
});
