// The virtual machines: the node, and a worker in the same network.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { outputOf, sno } from './programs.mjs';

/** libvirt of the system, as in the output of `render libvirt`. */
const uri = process.env.LIBVIRT_DEFAULT_URI ?? 'qemu:///system';

export function virsh(args, signal) {
  return outputOf('virsh', ['--connect', uri, ...args], signal);
}

/** Renders, defines and starts the machine of a site. Returns the JSON of `render libvirt`. */
export async function startNode({ site, out, images, bridge }, signal) {
  const tree = join(out, 'machine');
  const more = bridge === undefined ? [] : ['--bridge', bridge];
  const { result, findings } = await sno(
    ['render', 'libvirt', site, '--out', tree, '--images', images, ...more],
    signal,
  );
  if (findings.length > 0) throw new Error(findings.join('; '));
  copyFileSync(join(out, 'site.iso'), result.isoFile);
  await outputOf('qemu-img', ['create', '-f', 'qcow2', result.diskFile, `${result.diskGib}G`], signal);
  if (result.files.includes('network.xml')) {
    await virsh(['net-define', join(tree, 'network.xml')], signal);
    await virsh(['net-start', result.machine], signal);
  }
  await virsh(['define', join(tree, 'domain.xml')], signal);
  await virsh(['start', result.machine], signal);
  return result;
}

export const workerName = 'worker-0';

/** Starts a worker from the live ISO and worker.ign of the site. Its machine is that of the node with other files and another card. */
export async function startWorker({ site, out, images, bridge, liveIso }, machine, signal) {
  const [iso, disk] = ['iso', 'qcow2'].map((end) => join(images, `${machine.machine}-${workerName}.${end}`));
  const args = ['iso', 'customize', '--dest-ignition', join(site, 'worker.ign'), '--dest-device', '/dev/vda'];
  await outputOf('coreos-installer', [...args, '--force', '--output', iso, liveIso], signal);
  await outputOf('qemu-img', ['create', '-f', 'qcow2', disk, '120G'], signal);
  const node = readFileSync(join(out, 'machine/domain.xml'), 'utf8');
  const file = join(out, 'worker.xml');
  writeFileSync(
    file,
    workerDomain(node, { name: `${machine.machine}-${workerName}`, mac: workerMac, iso, disk }),
  );
  if (bridge === undefined) await addLease(machine, signal);
  await virsh(['define', file], signal);
  await virsh(['start', `${machine.machine}-${workerName}`], signal);
}

const workerMac = '52:54:00:77:6b:01';

/** The domain of a worker from that of the node: one network card, a virtio disk and 16 GiB of memory. */
export function workerDomain(node, { name, mac, iso, disk }) {
  const [card = ''] = node.match(/ {4}<interface[^]*?<\/interface>\n/) ?? [];
  const ownCard = card
    .replace(/<mac address='[^']*'\/>/, `<mac address='${mac}'/>`)
    .replace(/ *<(?:acpi|address) [^>]*\/>\n/g, '');
  return node
    .replace(/<name>[^<]*<\/name>/, `<name>${name}</name>`)
    .replace(/<memory .*<\/memory>/, "<memory unit='GiB'>16</memory>")
    .replace(/(<source file=')[^']*\.qcow2'/, `$1${disk}'`)
    .replace(/(<source file=')[^']*\.iso'/, `$1${iso}'`)
    .replace(/<target dev='[sv]da'[^>]*\/>/, "<target dev='vda' bus='virtio'/>")
    .replace(/ *<(serial|wwn|vendor|product)>[^<]*<\/\1>\n/g, '')
    .replace(/(?: {4}<interface[^]*?<\/interface>\n)+/, ownCard);
}

/** Adds a lease and a name for the worker to the network of the node. */
async function addLease({ machine, addresses }, signal) {
  const address = addresses.find((each) => each.includes('.'));
  if (address === undefined) throw new Error('a worker needs a network with IPv4, or --bridge');
  const own = neighbor(address);
  const range = `<range start='${own}' end='${own}'/>`;
  const host = `<host mac='${workerMac}' name='${workerName}' ip='${own}'/>`;
  // libvirt allows as many leases as there are addresses in ranges.
  for (const [section, entry] of Object.entries({ 'ip-dhcp-range': range, 'ip-dhcp-host': host })) {
    const args = ['net-update', machine, 'add', section, entry, '--parent-index', '0', '--live', '--config'];
    await virsh(args, signal);
  }
}

/** Another address of the same network: the next, or the previous at the end of a range of 256. */
export function neighbor(address) {
  const bytes = address.split('.').map(Number);
  const last = bytes[3] < 254 ? bytes[3] + 1 : bytes[3] - 1;
  return [...bytes.slice(0, 3), last].join('.');
}
