import { join, resolve } from 'node:path';

import { libvirtMachine, type JudgedMachine } from '../../assets/live/virtual-machine.js';
import { problem } from '../../core/problem.js';
import { programVersion } from '../../core/program-version.js';
import { quoted } from '../../core/quoted.js';
import { failure, problemsOf, resultOf, success, type Result } from '../../core/result.js';
import { fileSize } from '../../disk/file-size.js';
import { replaceTree } from '../../disk/replace-tree.js';
import { siteIsoName } from '../../fleet/build/index.js';
import { shellWord } from '../../formats/shell-word.js';
import { domainXml } from '../../media/libvirt/domain-xml.js';
import { networkXml } from '../../media/libvirt/network-xml.js';
import type { VirtualMachine } from '../../media/libvirt/virtual-machine.js';
import { treeMark } from '../../review/output-tree.js';
import { treeKind, virtualMachineNote } from '../../review/tree-kind.js';
import type { Tree } from '../../review/review-tree.js';
import { look } from '../../run/run.js';
import type { GlobalOptions, RenderLibvirtOptions } from '../options.js';
import { report } from '../output/report.js';
import { runRequest } from '../request.js';

/** Writes the domain and the network of a virtual machine for the config, and prints how to start it. */
export async function renderLibvirt(options: GlobalOptions & RenderLibvirtOptions): Promise<void> {
  const bridge = bridgeOf(options);
  // The configs are enough, so the state is optional.
  const looked = bridge.ok
    ? await look(
        runRequest('single-node-ignition-config', options, { isStateOptional: true }),
        libvirtMachine,
      )
    : bridge;
  if (!bridge.ok || !looked.ok) {
    report(options, { problems: problemsOf(looked) });
    return;
  }
  const { machine } = looked.value;
  const judged = resultOf(machine, machineProblems(looked.value, bridge.value !== undefined));
  const files = filesOf(machine, options);
  const written = judged.ok ? replaceTree(options.out, files, treeKind) : judged;
  report(options, {
    problems: [...looked.warnings, ...(judged.ok ? judged.warnings : []), ...problemsOf(written)],
    text: summary(machine, options),
    json: resultData(machine, options),
  });
}

/** The value of `--bridge`. Problem: usage/unknown-argument. */
function bridgeOf({ bridge }: RenderLibvirtOptions): Result<string | undefined> {
  // Source: dev_valid_name of Linux' net/core/dev.c; deviceName of libvirt's basictypes.rng
  if (bridge === undefined || /^(?!\.{1,2}$)[a-zA-Z0-9_.-]{1,15}$/.test(bridge)) return success(bridge);
  const message = `--bridge is ${quoted(bridge)}, which is not the name of an interface`;
  return failure(problem('usage/unknown-argument', message, { hint: 'try br0' }));
}

function machineProblems(
  { problems, networkProblems }: JudgedMachine,
  hasBridge: boolean,
): JudgedMachine['problems'] {
  return hasBridge ? problems : [...problems, ...networkProblems];
}

function filesOf(machine: VirtualMachine, options: RenderLibvirtOptions): Tree {
  const { bridge } = options;
  const texts = {
    'domain.xml': domainXml(machine, {
      ...imagesOf(machine, options),
      ...(bridge !== undefined && { bridge }),
    }),
    ...(bridge === undefined && { 'network.xml': networkXml(machine) }),
  };
  const index = [`${treeMark}${programVersion}`, virtualMachineNote, ...Object.keys(texts)];
  return { 'index.txt': `${index.join('\n')}\n`, ...texts };
}

function imagesOf(
  { name }: VirtualMachine,
  { images }: RenderLibvirtOptions,
): { readonly diskFile: string; readonly isoFile: string } {
  return { diskFile: join(resolve(images), `${name}.qcow2`), isoFile: join(resolve(images), `${name}.iso`) };
}

function resultData(
  machine: VirtualMachine,
  options: RenderLibvirtOptions,
): Readonly<Record<string, unknown>> {
  const { name, disk, network, cards } = machine;
  const { diskFile, isoFile } = imagesOf(machine, options);
  return {
    machine: name,
    tree: options.out,
    files: Object.keys(filesOf(machine, options)),
    ...{ diskFile, isoFile, diskGib: disk.sizeGib },
    addresses: options.bridge === undefined ? network.stacks.map(({ node }) => node) : [],
    macAddresses: cards.map(({ mac }) => mac),
  };
}

function summary(machine: VirtualMachine, options: GlobalOptions & RenderLibvirtOptions): string {
  const { name, size, disk, network } = machine;
  const { bridge, out } = options;
  const { diskFile, isoFile } = imagesOf(machine, options);
  const addresses = network.stacks.map(({ node }) => node).join(', ');
  const networkCommands =
    bridge === undefined ? [`net-define ${shellWord(join(out, 'network.xml'))}`, `net-start ${name}`] : [];
  const commands = [...networkCommands, `define ${shellWord(join(out, 'domain.xml'))}`, `start ${name}`];
  const [index = '', ...xmlFiles] = Object.keys(filesOf(machine, options)).map((file) => join(out, file));
  return [
    `Wrote ${xmlFiles.join(', ')} and ${index}.`,
    '',
    `  Machine  ${name}, ${size.cpus} CPUs, ${size.memoryGib} GiB of memory, disk of ${disk.sizeGib} GiB`,
    `  Network  ${bridge === undefined ? `of libvirt; the machine has ${addresses}` : `bridge ${bridge} of the host`}`,
    '',
    ...isoLines(name, options.dir, isoFile),
    `  sudo qemu-img create -f qcow2 ${shellWord(diskFile)} ${disk.sizeGib}G`,
    `  sudo virsh ${shellWord(commands.join('; '))}`,
    '',
  ].join('\n');
}

/** The ISO of the directory, else one in the working directory; else the command that creates it. */
function isoLines(name: string, dir: string, to: string): readonly string[] {
  const paths = [join(dir, siteIsoName), `${name}.iso`];
  const found = paths.find((path) => fileSize(path) !== undefined);
  const copy = `  sudo cp ${shellWord(found ?? join(dir, siteIsoName))} ${shellWord(to)}`;
  if (found !== undefined) return ['Next: copy the ISO of this config, and start the machine:', copy];
  return [
    'Next: create the ISO of this config, copy it, and start the machine:',
    `  sno-install create iso ${shellWord(dir)} --iso LIVE.iso`,
    copy,
  ];
}
