import { problem, type Place, type Problem } from '../../core/problem.js';
import type { FetchedFile } from '../config/aio-model.js';
import { defaultKubernetesVersion } from '../../release/kubernetes.js';
import type { SnoConfig } from '../config/sno-config-model.js';
import type { Versions } from '../control-plane/inputs.js';
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

/**
 * Problems for each program that the operating system lacks and no file brings: aio/missing-program, or
 * aio/perhaps-missing-program where only some images of it lack the program.
 */
export function missingPrograms(
  { controlPlane, aio }: SnoConfig,
  { kubernetesMinor }: Pick<Versions, 'kubernetesMinor'>,
  { architecture, at }: { readonly architecture: string; readonly at: Place | undefined },
): readonly Problem[] {
  const usual =
    controlPlane.distribution === 'OpenShift' ? `1.${kubernetesMinor}.0` : defaultKubernetesVersion;
  const facts = { version: controlPlane.kubernetesVersion ?? usual, architecture };
  const hintOf = ({ entry }: Program) =>
    `add to aio.files, with the hash in place of "…" that stands beside the file (.sha256): - ${entry(facts)}`;
  const missing = programs.filter(({ isBroughtBy }) => !aio.files.some(isBroughtBy));
  if (aio.operatingSystem === 'FedoraCoreOS')
    return missing.map((program) =>
      problem(
        'aio/missing-program',
        `Fedora CoreOS has no ${program.name}, and no entry of aio.files brings it`,
        { at, hint: hintOf(program) },
      ),
    );
  if (controlPlane.distribution !== 'OpenShift' || kubernetesMinor < firstMinorWithoutKubelet) return [];
  return missing
    .filter(({ name }) => name === 'kubelet')
    .map((program) =>
      problem(
        'aio/perhaps-missing-program',
        `images of RHCOS for OpenShift 4.19 and later have no ${program.name}, and no entry of aio.files brings it`,
        { at, hint: `boot an image of 4.18 or older, or ${hintOf(program)}` },
      ),
    );
}

/** Of OpenShift 4.19, the first whose boot images are plain. Source: openshift/enhancements, rhcos split layers */
const firstMinorWithoutKubelet = 32;

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
