import { byName } from '../../core/compare.js';
import { maskedArgument } from '../../core/quoted.js';
import { mayBeSecretArgument } from '../../core/secrets.js';
import { sha256 } from '../../formats/sha256.js';
import type { ReceiptLiveIso, ReceiptMedium, ReceiptPayload } from './receipt-medium.js';
import type { Receipt, ReceiptInput, ReceiptOutput, ReceiptSource } from './receipt.js';

export interface MediaReceiptOptions {
  /** The argument of `create`. */
  readonly target: string;
  /** The receipt of the configs. Their inputs become inputs of the medium. */
  readonly configs: Receipt;
  /**
   * Path from the folder of this receipt to the folder of the configs' receipt: `''` for the same, `site1/` for one below;
   * undefined for any other.
   */
  readonly prefix: string | undefined;
  /** The embedded config, and its path next to the configs' receipt. */
  readonly config: { readonly path: string; readonly bytes: Uint8Array };
  readonly liveIso?: ReceiptLiveIso;
  readonly payload?: ReceiptPayload;
  readonly urls: ReceiptMedium['urls'];
  readonly kernelArguments: readonly string[];
  readonly outputs: readonly ReceiptOutput[];
}

/** Returns the receipt of a medium: the receipt of its configs, with the medium as output and its own inputs added. */
export function mediaReceipt(order: MediaReceiptOptions): Receipt {
  const { target, configs, prefix, outputs } = order;
  const isBelow = prefix !== undefined;
  const elsewhere = isBelow ? [] : configs.inputs.flatMap(asSource);
  return {
    ...configs,
    target,
    inputs: isBelow ? configs.inputs.map((input) => below(prefix, input)) : [],
    inputFolders: isBelow ? configs.inputFolders.map((path) => `${prefix}${path}`) : [],
    sources: [...configs.sources, ...elsewhere].toSorted(byName),
    outputs,
    medium: mediumOf(order),
  };
}

function below(prefix: string, input: ReceiptInput): ReceiptInput {
  const moved = { ...input, path: `${prefix}${input.path}` };
  return 'keyedBy' in moved ? { ...moved, keyedBy: `${prefix}${moved.keyedBy}` } : moved;
}

/** Sources have no keyed hash, because they are never compared. */
function asSource(input: ReceiptInput): readonly ReceiptSource[] {
  if ('absent' in input) return [];
  const { path: name, bytes } = input;
  return 'sha256' in input ? [{ name, bytes, sha256: input.sha256 }] : [{ name, bytes }];
}

function mediumOf({
  configs,
  prefix,
  config,
  liveIso,
  payload,
  ...order
}: MediaReceiptOptions): ReceiptMedium {
  const { path, bytes } = config;
  const keyedBy = configs.inputs.flatMap((input) => ('keyedBy' in input ? [input.keyedBy] : []))[0];
  const holder = configs.outputs.find((output) => output.path === keyedBy);
  return {
    config: {
      ...(prefix !== undefined && { path: `${prefix}${path}` }),
      bytes: bytes.length,
      sha256: sha256(bytes),
    },
    ...(liveIso && { liveIso: { ...liveIso, name: maskedArgument(liveIso.name) } }),
    ...(payload && { payload }),
    urls: order.urls,
    kernelArguments: order.kernelArguments.map(maskKernelArgument),
    ...(prefix !== undefined &&
      holder && { keyHolder: { path: `${prefix}${holder.path}`, sha256: holder.sha256 } }),
  };
}

/**
 * Kernel arguments whose values are addresses, devices, numbers or keywords. Source: dracut.cmdline(7), systemd(1) and
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
 * Masks a kernel argument for the receipt, which everybody may read. Returns it unchanged if its name is known to be harmless,
 * otherwise `name=…`, or `…` if the name itself may be secret.
 */
export function maskKernelArgument(argument: string): string {
  if (words.has(argument)) return argument;
  const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(argument) ?? [];
  if (harmless.test(name) && !mayBeSecretArgument(argument)) return argument;
  // A text that ends in `=` may be base64.
  const isName = /^[a-z]+(?:[._-][a-z]+)*$/.test(name) && !/^=?$/.test(value);
  return isName ? `${name}=…` : '…';
}
