import { toData } from '../../formats/yaml/yaml-tree.js';
import { readYaml } from '../../formats/yaml/yaml.js';
import { textAt } from '../../kube/fields.js';
import { versionIn } from '../../release/release-version.js';
import type { PartContent } from '../node-parts.js';
import { environmentIn } from './environment-file.js';

/** The cluster that a config belongs to. Unknown members are absent. */
export interface InspectedCluster {
  readonly name?: string;
  readonly baseDomain?: string;
  /** Such as `api.site1.example.com`. */
  readonly apiHost?: string;
  readonly releaseImage?: string;
  /** `<major>.<minor>` from the tag of the image, or from the update channel that sno-install writes. */
  readonly releaseVersion?: string;
  /** Kubernetes name of the architecture. */
  readonly architecture?: string;
  /** The program that created the config, such as `sno-install 0.1.0`. */
  readonly createdBy?: string;
}

/** Files of the supported installers that contain cluster facts. */
const paths = {
  clusterConfig: /\/cluster-config\.yaml$/,
  installRecord: /\/openshift-install(?:-manifests)?\.yaml$/,
  ours: /\/sno-install\.env$/,
  clusterVersion: /\/manifests\/cvo-overrides\.yaml$/,
  releaseScript: /\/usr\/local\/bin\/release-image\.sh$/,
};

/**
 * Detects the cluster of a config of this program or of openshift-install. Reads the embedded install-config, the environment
 * file of our scripts, and the server URL of a pointer config.
 */
export function detectCluster({ parts, fetchedConfigs, names }: ClusterEvidence): InspectedCluster {
  const textOf = (path: RegExp): string =>
    parts.find((part) => path.test(part.path))?.bytes.toString('utf8') ?? '';
  const settings = environmentIn(textOf(paths.ours));
  const installConfig = yamlOf(textAt(yamlOf(textOf(paths.clusterConfig)), ['data', 'install-config']) ?? '');
  const name = plain(textAt(installConfig, ['metadata', 'name']) ?? settings.get('SNO_CLUSTER_NAME'));
  const domain = settings.get('SNO_CLUSTER_DOMAIN') ?? domainOf({ parts, fetchedConfigs, names });
  const baseDomain = plain(textAt(installConfig, ['baseDomain']) ?? below(domain, name));
  const releaseImage = plain(settings.get('SNO_RELEASE_IMAGE') ?? imageIn(textOf(paths.releaseScript)));
  const channel = textAt(yamlOf(textOf(paths.clusterVersion)), ['spec', 'channel']) ?? '';
  const releaseVersion =
    versionIn(releaseImage?.split(':').at(-1) ?? '')?.text ?? /^stable-(\d+\.\d+)$/.exec(channel)?.[1];
  const apiHost = plain(settings.get('SNO_API_HOST') ?? (domain && `api.${domain}`));
  const architecture = plain(
    settings.get('SNO_EXPECTED_ARCH') ?? textAt(installConfig, ['controlPlane', 'architecture']),
  );
  const createdBy = versionText(textAt(yamlOf(textOf(paths.installRecord)), ['data', 'version']));
  return {
    ...(name !== undefined && { name }),
    ...(baseDomain !== undefined && { baseDomain }),
    ...(apiHost !== undefined && { apiHost }),
    ...(releaseImage !== undefined && { releaseImage }),
    ...(releaseVersion !== undefined && { releaseVersion }),
    ...(architecture !== undefined && { architecture }),
    ...(createdBy !== undefined && { createdBy }),
  };
}

interface ClusterEvidence {
  readonly parts: readonly Pick<PartContent, 'path' | 'bytes'>[];
  readonly fetchedConfigs: readonly string[];
  /** Names in certificates, such as `DNS:api.site1.example.com`. */
  readonly names: readonly string[];
}

/** Returns the cluster domain from the URL of a pointer config, from a kubeconfig, or from a certificate. */
function domainOf({ parts, fetchedConfigs, names }: ClusterEvidence): string | undefined {
  const servers = parts
    .filter(({ path }) => /kubeconfig/.test(path))
    .map(({ bytes }) => /server: "?(https:\/\/[^\s"]+)/.exec(bytes.toString('utf8'))?.[1] ?? '');
  const ofApi = /^(?:https:\/\/|DNS:)api(?:-int)?\.([a-z0-9.-]+)(?::\d+.*)?$/;
  const domains = [...fetchedConfigs, ...servers, ...names].map((each) => ofApi.exec(each)?.[1]);
  return domains.find((domain) => domain !== undefined);
}

function below(domain: string | undefined, name: string | undefined): string | undefined {
  if (domain === undefined || name === undefined || !domain.startsWith(`${name}.`)) return undefined;
  return domain.slice(name.length + 1);
}

function imageIn(script: string): string | undefined {
  return /^RELEASE_IMAGE="?([^\s"$]+)"?$/m.exec(script)?.[1];
}

function yamlOf(text: string): unknown {
  const [document] = text === '' ? [] : readYaml(text).documents;
  return document && toData(document);
}

/** Accepts a name, domain or image only. Rejects texts that may contain a password. */
function plain(text: string | undefined): string | undefined {
  return text !== undefined && /^[\w.:/@-]{1,255}$/.test(text) && !/:[^/]*@(?!sha256:)/.test(text)
    ? text
    : undefined;
}

function versionText(text: string | undefined): string | undefined {
  return text !== undefined && /^[\w .+-]{1,80}$/.test(text) ? text : undefined;
}
