import { writeTraced, type Origin, type Traced, type TracedMap } from '../formats/yaml/traced.js';
import { originOfOption, pullSecretName, type ImportedFile, type ImportOverrides } from './imported-site.js';
import { tracedMap, tracedText } from './tracing.js';

/** Settings of a source that belong in sno-config.yaml. */
export type NodeSettings = Readonly<
  Partial<
    Record<
      | 'hostname'
      | 'nodeIP'
      | 'nodeLabels'
      | 'diskEncryption'
      | 'releaseImage'
      | 'network'
      | 'ntpSources'
      | 'rootDeviceHints'
      | 'coreosInstaller',
      Traced
    >
  >
>;

/** A pull secret found in a source. */
export interface FoundPullSecret {
  readonly text: string;
  readonly origin: Origin;
}

/** Creates sno-config.yaml, and a file for a pull secret from the source or the command line. Empty if there are no settings. */
export function nodeFiles(
  settings: NodeSettings,
  found: FoundPullSecret | undefined,
  { pullSecret: wished, releaseImage }: ImportOverrides,
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
  const {
    hostname,
    nodeIP,
    nodeLabels,
    diskEncryption,
    ntpSources,
    network,
    rootDeviceHints,
    coreosInstaller,
  } = settings;
  const fields = {
    hostname,
    nodeIP,
    nodeLabels,
    pullSecretFile: reference,
    releaseImage: image,
    ntpSources,
    rootDeviceHints,
    coreosInstaller,
    diskEncryption,
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

export function configFile(path: string, root: TracedMap): ImportedFile {
  return { path, ...writeTraced([root], 'readable'), root };
}
