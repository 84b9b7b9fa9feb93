import { mayBeSecretArgument } from '../../core/secrets.js';

/**
 * Arguments whose value is an address, a device, a number or a word of the kernel. Source: dracut.cmdline(7), systemd(1) and
 * kernel-parameters of Linux.
 */
const harmless =
  /^(?:BOOTIF|bond|bridge|console|cgroup_(?:disable|enable)|crashkernel|default_hugepagesz|hugepages(?:z)?|ifname|intel_iommu|iommu|ip|isolcpus|loglevel|mitigations|modprobe\.blacklist|nameserver|net\.ifnames|nohz_full|panic|random\.trust_(?:bootloader|cpu)|rcu_nocbs|rd\.(?:debug|neednet|peerdns|route|timeout|znet|net\.[a-z.]+)|systemd\.(?:log_level|unit|unified_cgroup_hierarchy)|team|tsc|vlan)$/;

const words = new Set(
  'debug noapic nofb nohz nolapic nomodeset nopti nosmt nosplash nox2apic quiet rd.debug rd.neednet rd.shell ro rw splash'.split(
    ' ',
  ),
);

/**
 * An argument of the kernel as a receipt has it, which everybody may read: whole where its name is known to have no secret behind
 * it, `name=…` of others, and `…` of what may be none of a name.
 */
export function shownKernelArgument(argument: string): string {
  if (words.has(argument)) return argument;
  const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(argument) ?? [];
  if (harmless.test(name) && !mayBeSecretArgument(argument)) return argument;
  // What ends in an equals sign may be base64.
  const isName = /^[a-z]+(?:[._-][a-z]+)*$/.test(name) && !/^=?$/.test(value);
  return isName ? `${name}=…` : '…';
}
