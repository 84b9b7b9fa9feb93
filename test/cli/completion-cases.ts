import { snoInProcess } from '../support/in-process.js';

const scripts = new Map<string, string>();

/** The completion script of a shell, cached. */
export async function script(shell: string): Promise<string> {
  const known = scripts.get(shell) ?? (await snoInProcess(['completion', shell])).stdout;
  scripts.set(shell, known);
  return known;
}

export function wordsOf(stdout: string): readonly string[] {
  return stdout
    .split(/\s+/)
    .filter((word) => word !== '')
    .toSorted();
}

/** Words before the cursor, and every completion of the last one. */
export const cases: readonly { words: readonly string[]; want: readonly string[] }[] = [
  { words: ['cr'], want: ['create'] },
  {
    words: ['create', 'single'],
    want: ['single-node-ignition-config', 'single-node-iso', 'single-node-pxe'],
  },
  { words: ['create', 'single-node-pxe', '--live'], want: ['--live-karg'] },
  { words: ['create', 'single-node-iso', '--roo'], want: ['--rootfs', '--rootfs-out'] },
  { words: ['state', 'enc'], want: ['encrypt'] },
  { words: ['create', 'manifests', '--rec'], want: ['--recipient', '--recipients-file'] },
  { words: ['create', 'single-node-ig'], want: ['single-node-ignition-config'] },
  { words: ['create', 'sno-config', '--bond-'], want: ['--bond-mode', '--bond-option'] },
  { words: ['create', 'sno-config', '--di'], want: ['--dir', '--disk-serial'] },
  { words: ['create', 'sno-config', '--n'], want: ['--node-ip', '--ntp-source'] },
  { words: ['create', 'manifests', '--st'], want: ['--state', '--state-command'] },
  { words: ['--dir', 'x', 'val'], want: ['validate'] },
  { words: ['validate', '--target', ''], want: ['aio-ignition', 'single-node-ignition-config'] },
  { words: ['render', 'libvirt', '--b'], want: ['--bridge'] },
  { words: ['preflight', '--d'], want: ['--dir', '--dns-server'] },
  { words: ['images', '--output', 'i'], want: ['imageset'] },
  { words: ['images', '--pay'], want: ['--payload'] },
  { words: ['payload', 'w'], want: ['write'] },
  { words: ['payload', 'write', '--fo'], want: ['--force'] },
  { words: ['media', 'd'], want: ['download'] },
  { words: ['media', 'download', '--arch', 'a'], want: ['aarch64'] },
  { words: ['golden', '--c'], want: ['--check'] },
  { words: ['fleet', 'i'], want: ['init'] },
  { words: ['fleet', 'v'], want: ['validate'] },
  { words: ['fleet', 'validate', '--on'], want: ['--only'] },
  { words: ['fleet', 'create', '--f'], want: ['--fail-fast', '--fleet-id', '--force'] },
  { words: ['fleet', 'create', '--s'], want: ['--shard', '--state', '--state-command', '--store'] },
  { words: ['fleet', 'co'], want: ['collect'] },
  { words: ['fleet', 'job', '--na'], want: ['--name', '--namespace'] },
  { words: ['fleet', 'st'], want: ['status'] },
  { words: ['fleet', 'golden', '--ch'], want: ['--check'] },
  { words: ['fleet', 'diff', '--ag'], want: ['--against'] },
  { words: ['fleet', 'diff', '--sh'], want: ['--sheet'] },
  { words: ['fleet', 'certs', '--w'], want: ['--warn-before', '--where'] },
  { words: ['fleet', 'render', 'inputs', '--ou'], want: ['--out', '--output'] },
  { words: ['fleet', 'why', '--of'], want: ['--offline-files'] },
  { words: ['fleet', 'bo'], want: ['boot'] },
  { words: ['fleet', 'wait-for', 'i'], want: ['install-complete'] },
  { words: ['fleet', 'boot', '--media'], want: ['--media', '--media-timeout', '--media-url'] },
  { words: ['import', 'a'], want: ['agent-config'] },
  { words: ['import', 'policies', '--so'], want: ['--source-crs'] },
  { words: ['import', 'cluster-instance', '--si'], want: ['--site'] },
  { words: ['serve', '--pri'], want: ['--print-urls'] },
  { words: ['diff', '--output', 'm'], want: ['markdown'] },
  { words: ['diff', '--ag'], want: ['--against'] },
  { words: ['graph', '--output', ''], want: ['dot', 'json', 'mermaid', 'text', 'yaml'] },
  { words: ['graph', 'manifests', '--output', 'm'], want: ['mermaid'] },
  { words: ['graph', 'aio-c'], want: ['aio-control-plane'] },
  { words: ['--output', 'json', 'completion', 'p'], want: ['powershell'] },
  { words: ['create', 'manifests', '--log-level', ''], want: ['debug', 'error', 'info', 'warn'] },
  { words: ['why', '--target', 'aio-i'], want: ['aio-ignition'] },
  { words: ['insp'], want: ['inspect'] },
  { words: ['ver'], want: ['verify', 'version'] },
  { words: ['verify', '--allow'], want: ['--allowed-signers'] },
  { words: ['verify', '--is'], want: ['--iso'] },
  { words: ['certs', '--warn'], want: ['--warn-before'] },
  { words: ['explain', 'config/replic'], want: ['config/replicas'] },
  { words: ['explain', 'disk-cannot'], want: ['disk-cannot-be-marked'] },
];
