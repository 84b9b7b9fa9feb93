import { writeTraced, type Origin, type Traced, type TracedMap } from '../formats/yaml/traced.js';
import { originOfOption, pullSecretName, type ImportedFile, type ImportWishes } from './imported-site.js';
import { tracedMap, tracedText } from './tracing.js';

/** What a source says that goes to sno-config.yaml. */
export type NodeSettings = Readonly<
  Partial<
    Record<'hostname' | 'nodeIP' | 'releaseImage' | 'network' | 'ntpSources' | 'kernelArguments', Traced>
  >
>;

/** A pull secret that a source holds. */
export interface FoundPullSecret {
  readonly text: string;
  readonly origin: Origin;
}

/** sno-config.yaml, and the pull secret beside it where there is one; nothing where nothing is to be said. */
export function nodeFiles(
  settings: NodeSettings,
  found: FoundPullSecret | undefined,
  { pullSecret: wished, releaseImage }: ImportWishes,
  origin: Origin,
): readonly ImportedFile[] {
  const option = originOfOption('--pull-secret-file');
  const isReference = wished !== undefined && 'reference' in wished;
  const secret =
    wished === undefined ? found : isReference ? undefined : { text: wished.text, origin: option };
  const reference = isReference
    ? tracedText(wished.reference, option)
    : secret && tracedText(pullSecretName, secret.origin);
  const image =
    releaseImage === undefined
      ? settings.releaseImage
      : tracedText(releaseImage, originOfOption('--release-image'));
  const { hostname, nodeIP, ntpSources, kernelArguments, network } = settings;
  const fields = {
    hostname,
    nodeIP,
    pullSecretFile: reference,
    releaseImage: image,
    ntpSources,
    kernelArguments,
    network,
  };
  if (Object.values(fields).every((each) => each === undefined)) return [];
  const root = tracedMap(
    {
      apiVersion: tracedText('sno-install/v1alpha1', origin),
      kind: tracedText('SingleNodeConfig', origin),
      ...fields,
    },
    origin,
  );
  return [
    configFile('sno-config.yaml', root),
    ...(secret ? [{ path: pullSecretName, text: secret.text, origins: secret.origin }] : []),
  ];
}

/** A config of ours. */
export function configFile(path: string, root: TracedMap): ImportedFile {
  return { path, ...writeTraced([root], 'readable'), root };
}
