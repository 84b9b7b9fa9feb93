import { toData } from '../../formats/yaml/yaml-tree.js';
import { readYaml } from '../../formats/yaml/yaml.js';
import { textAt } from '../../kube/fields.js';
import { versionIn } from '../../release/release-version.js';
import type { ShownPart } from './inspect-config.js';

/** For which cluster a config is, as far as it says. Every member is absent where nothing says it. */
export interface InspectedCluster {
  readonly name?: string;
  readonly baseDomain?: string;
  /** Such as `api.site1.example.com`. */
  readonly apiHost?: string;
  readonly releaseImage?: string;
  /** `<major>.<minor>`: of the tag of the image. */
  readonly releaseVersion?: string;
  /** As Kubernetes calls it. */
  readonly architecture?: string;
  /** Which program made it, such as `sno-install 0.1.0`. */
  readonly madeBy?: string;
}

/** Where each release and program of installers says what. */
const paths = {
  clusterConfig: /\/cluster-config\.yaml$/,
  installRecord: /\/openshift-install(?:-manifests)?\.yaml$/,
  ours: /\/sno-install\.env$/,
  releaseScript: /\/usr\/local\/bin\/release-image\.sh$/,
};

/**
 * The cluster of a config of ours or of openshift-install: of the install-config that it carries, the file that scripts of ours read, and
 * the server that a pointer config asks.
 */
export function clusterOf({ parts, fetchedConfigs, names }: ClusterTraces): InspectedCluster {
  const textOf = (path: RegExp): string =>
    parts.find((part) => path.test(part.path))?.bytes.toString('utf8') ?? '';
  const settings = envOf(textOf(paths.ours));
  const installConfig = yamlOf(textAt(yamlOf(textOf(paths.clusterConfig)), ['data', 'install-config']) ?? '');
  const name = plain(textAt(installConfig, ['metadata', 'name']) ?? settings.get('SNO_CLUSTER_NAME'));
  const domain = settings.get('SNO_CLUSTER_DOMAIN') ?? domainOf({ parts, fetchedConfigs, names });
  const baseDomain = plain(textAt(installConfig, ['baseDomain']) ?? below(domain, name));
  const releaseImage = plain(settings.get('SNO_RELEASE_IMAGE') ?? imageIn(textOf(paths.releaseScript)));
  const releaseVersion = versionIn(releaseImage?.split(':').at(-1) ?? '')?.text;
  const apiHost = plain(settings.get('SNO_API_HOST') ?? (domain && `api.${domain}`));
  const architecture = plain(
    settings.get('SNO_EXPECTED_ARCH') ?? textAt(installConfig, ['controlPlane', 'architecture']),
  );
  const madeBy = versionText(textAt(yamlOf(textOf(paths.installRecord)), ['data', 'version']));
  return {
    ...(name !== undefined && { name }),
    ...(baseDomain !== undefined && { baseDomain }),
    ...(apiHost !== undefined && { apiHost }),
    ...(releaseImage !== undefined && { releaseImage }),
    ...(releaseVersion !== undefined && { releaseVersion }),
    ...(architecture !== undefined && { architecture }),
    ...(madeBy !== undefined && { madeBy }),
  };
}

/** What is known by what. */
interface ClusterTraces {
  readonly parts: readonly ShownPart[];
  readonly fetchedConfigs: readonly string[];
  /** Of certificates, such as `DNS:api.site1.example.com`. */
  readonly names: readonly string[];
}

/** Of the server of a pointer config, of the API in a kubeconfig, or of its certificate. */
function domainOf({ parts, fetchedConfigs, names }: ClusterTraces): string | undefined {
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

function envOf(text: string): ReadonlyMap<string, string> {
  return new Map(
    [...text.matchAll(/^(SNO_[A-Z_]+)='([^']+)'$/gm)].map(([, name = '', value = '']) => [name, value]),
  );
}

function imageIn(script: string): string | undefined {
  return /^RELEASE_IMAGE="?([^\s"$]+)"?$/m.exec(script)?.[1];
}

function yamlOf(text: string): unknown {
  const [document] = text === '' ? [] : readYaml(text).documents;
  return document && toData(document);
}

/** A name, a domain or an image, and nothing else that stands in its place. */
function plain(text: string | undefined): string | undefined {
  return text !== undefined && /^[\w.:/@-]{1,255}$/.test(text) && !/:[^/]*@(?!sha256:)/.test(text)
    ? text
    : undefined;
}

function versionText(text: string | undefined): string | undefined {
  return text !== undefined && /^[\w .+-]{1,80}$/.test(text) ? text : undefined;
}
