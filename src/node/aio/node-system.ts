import { aioDistributions } from '../../config/aio-distributions.js';
import type { FetchedFile } from '../../config/schema/aio-model.js';
import type { InstallConfig } from '../../config/schema/install-config-schema.js';
import type { SnoConfig } from '../../config/schema/sno-config-schema.js';
import { template } from '../../formats/template.js';
import type { Templates } from '../../graph/context.js';
import type { RemoteFile, IgnitionUnit, NodeFile } from '../../ignition/types.js';
import { payloadMirrors, withPayloadAuth, type PayloadRegistry } from '../payload.js';
import { registriesConf } from '../registries.js';
import { aioScripts } from './aio-catalog.js';
import { aioEnvFile } from './aio-env-file.js';
import { aioPaths } from './aio-paths.js';
import type { AioRelease } from './aio-release.js';
import { kubeProxyFiles } from './kube-proxy.js';
import { kubeletConfiguration } from './kubelet.js';
import type { NodeFacts } from './node-facts.js';
import { runtimeFiles } from './runtime-files.js';
import { firstBootObjectFiles } from './first-boot-objects.js';

/** The files and units of the node except control plane, certificates and kubeconfigs. */
export interface NodeSystem {
  readonly files: readonly NodeFile[];
  readonly fetched: readonly RemoteFile[];
  readonly units: readonly IgnitionUnit[];
}

interface Parents {
  readonly install: InstallConfig;
  readonly sno: SnoConfig;
  readonly facts: NodeFacts;
  readonly release: AioRelease;
  readonly fetched: readonly FetchedFile[];
  readonly window: { readonly notBefore: Date; readonly bootableUntil: Date };
  /** The registry of a payload; undefined without one. */
  readonly registry: PayloadRegistry | undefined;
}

/** Converts a file to download to its Ignition form. */
export function remoteFile({ path, url, mode, hash, compression }: FetchedFile): RemoteFile {
  return { path, url, mode, hash: `${hash.type}-${hash.hex}`, ...(compression && { compression }) };
}

/** The node's scripts, unchanged from their templates. */
export function scriptFiles(templates: Templates): readonly NodeFile[] {
  return aioScripts.map(({ path, template: name }) => ({
    path,
    mode: 0o555,
    contents: templates.text(name),
  }));
}

/** The files that are generated from the configs. */
export function generatedFiles(parents: Parents, templates: Templates): readonly NodeFile[] {
  const { install, sno, facts, release, fetched, window, registry } = parents;
  const mirrors = registry && payloadMirrors(registry);
  const login = withPayloadAuth(install.pullSecret.reveal(), registry);
  const isRhcos = sno.aio.operatingSystem === 'RHCOS';
  return [
    { path: '/etc/motd', mode: 0o644, contents: greeting(parents, templates), append: true },
    { path: '/etc/hostname', mode: 0o644, contents: `${facts.nodeName}\n` },
    { path: aioPaths.envFile, mode: 0o600, contents: aioEnvFile({ sno, facts, window }) },
    { path: aioPaths.kubeletConfig, mode: 0o600, contents: kubeletConfiguration(sno, facts) },
    ...archiveList(fetched),
    ...firstBootObjectFiles({ coreDnsImage: release.images.coredns, dnsAddresses: facts.dnsAddresses }),
    ...networkFiles(parents),
    { path: aioPaths.registryLogin, mode: 0o600, contents: login },
    ...optional('/etc/containers/registries.conf', isRhcos ? registriesConf(install, mirrors) : undefined),
    ...optional('/etc/pki/ca-trust/source/anchors/ca.crt', install.additionalTrustBundle || undefined),
  ];
}

function greeting({ facts, window }: Parents, templates: Templates): string {
  const text = templates.text('aio/etc/motd.tmpl');
  return template(text, ['nodeName', 'clusterName', 'bootableUntil']).fill({
    nodeName: facts.nodeName,
    clusterName: facts.apiServer.clusterName,
    bootableUntil: `${window.bootableUntil.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  });
}

/** Files of the container runtime, pod network and kube-proxy. */
function networkFiles({ sno: { controlPlane, aio }, facts, release }: Parents): readonly NodeFile[] {
  const { images, versions } = release;
  const { pauseCommand } = aioDistributions[controlPlane.distribution];
  return [
    ...kubeProxyFiles({
      image: images['kube-proxy'],
      kubernetesMinor: versions.kubernetesMinor,
      featureGates: controlPlane.featureGates,
      extraArguments: controlPlane.extraArguments['kube-proxy'],
      facts,
    }),
    ...runtimeFiles({
      operatingSystem: aio.operatingSystem,
      pauseImage: images.pause,
      ...(pauseCommand !== undefined && { pauseCommand }),
      facts,
    }),
  ];
}

/** Input of sno-unpack.sh: archive, target folder and number of leading path components to strip, separated by tabs. */
function archiveList(files: readonly FetchedFile[]): readonly NodeFile[] {
  const rows = files.flatMap(({ path, unpackInto, stripComponents }) =>
    unpackInto === undefined ? [] : [`${path}\t${unpackInto}\t${stripComponents}\n`],
  );
  return rows.length === 0 ? [] : [{ path: aioPaths.archives, mode: 0o600, contents: rows.join('') }];
}

function optional(path: string, contents: string | undefined): readonly NodeFile[] {
  return contents === undefined ? [] : [{ path, mode: 0o644, contents }];
}
