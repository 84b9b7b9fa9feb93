/** CPU numbers; Linux supports at most 8192 CPUs (CONFIG_NR_CPUS). */
const maxCpu = 8191;

/**
 * Parses a list of CPUs such as `0-3,8`, strictly as Kubernetes does: no spaces, no reversed range. Undefined if it is invalid.
 * Source: k8s.io/utils cpuset.Parse
 */
export function parseCpuSet(text: string): ReadonlySet<number> | undefined {
  const cpus = new Set<number>();
  if (text === '') return cpus;
  for (const part of text.split(',')) {
    const [, first, last = first] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(part) ?? [];
    const [from, to] = [Number(first), Number(last)];
    if (first === undefined || from > to || to > maxCpu) return undefined;
    for (let cpu = from; cpu <= to; cpu += 1) cpus.add(cpu);
  }
  return cpus;
}

/** The CPUs in both sets, as a list such as `0-3,8`; empty if there are none. */
export function commonCpus(left: ReadonlySet<number>, right: ReadonlySet<number>): string {
  return cpuSetText([...left].filter((cpu) => right.has(cpu)));
}

export function isSameCpus(left: ReadonlySet<number>, right: ReadonlySet<number>): boolean {
  return left.size === right.size && [...left].every((cpu) => right.has(cpu));
}

function cpuSetText(cpus: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const cpu of cpus.toSorted((left, right) => left - right)) {
    const last = ranges.at(-1);
    if (last?.[1] === cpu - 1) last[1] = cpu;
    else ranges.push([cpu, cpu]);
  }
  return ranges.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(',');
}
