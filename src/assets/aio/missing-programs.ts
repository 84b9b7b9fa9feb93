import { problem, type Place, type Problem } from '../../core/problem.js';
import type { AioMachine, FetchedFile } from '../config/aio-model.js';
import { defaultKubernetesVersion } from '../config/kubernetes-version.js';
import type { SnoConfig } from '../config/sno-config-model.js';
import { aioPaths } from './paths.js';

interface Program {
  /** What it is called in a message. */
  readonly name: string;
  /** Whether a file of the user's brings it, as far as can be told without looking into archives. */
  readonly isBroughtBy: (file: FetchedFile) => boolean;
  /** The entry to add, but for its hash. */
  readonly entry: (facts: { readonly version: string; readonly architecture: string }) => string;
}

/** What Fedora CoreOS lacks of a node. Source: coreos/fedora-coreos-config, manifests: containerd, and nothing of Kubernetes */
const programs: readonly Program[] = [
  kubernetesProgram('kubelet'),
  kubernetesProgram('kubectl'),
  {
    name: 'CNI plugins',
    isBroughtBy: ({ path, unpackInto }) =>
      unpackInto === aioPaths.cniPlugins || path.startsWith(`${aioPaths.cniPlugins}/`),
    entry: ({ architecture }) => {
      // The newest when this was written; any from 1.0 serves.
      const release = 'v1.9.1';
      const url = `https://github.com/containernetworking/plugins/releases/download/${release}/cni-plugins-linux-${architecture}-${release}.tgz`;
      return `{ path: /opt/cni-plugins.tgz, url: "${url}", unpackInto: ${aioPaths.cniPlugins}, sha256: "…" }`;
    },
  },
];

/** Problems (aio/missing-program) for each program that the operating system lacks and no file brings. */
export function missingPrograms(
  { controlPlane, aio }: SnoConfig,
  architecture: string,
  at: Place | undefined,
): readonly Problem[] {
  if (!lacksPrograms(aio)) return [];
  const facts = { version: controlPlane.kubernetesVersion ?? defaultKubernetesVersion, architecture };
  return programs
    .filter(({ isBroughtBy }) => !aio.files.some(isBroughtBy))
    .map(({ name, entry }) =>
      problem('aio/missing-program', `Fedora CoreOS has no ${name}, and no entry of aio.files brings it`, {
        at,
        hint: `add to aio.files, with the hash in place of "…" that stands beside the file (.sha256): - ${entry(facts)}`,
      }),
    );
}

function lacksPrograms({ operatingSystem }: AioMachine): boolean {
  return operatingSystem === 'FedoraCoreOS';
}

function kubernetesProgram(name: 'kubelet' | 'kubectl'): Program {
  return {
    name,
    isBroughtBy: ({ path, unpackInto }) =>
      path.endsWith(`/${name}`) ||
      ((unpackInto?.endsWith('/bin') ?? false) && unpackInto !== aioPaths.cniPlugins),
    entry: ({ version, architecture }) =>
      `{ path: /usr/local/bin/${name}, url: "https://dl.k8s.io/v${version}/bin/linux/${architecture}/${name}", sha256: "…" }`,
  };
}
