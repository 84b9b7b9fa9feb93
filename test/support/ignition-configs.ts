import type { OutputFile } from '../../src/core/output-file.js';
import { decodeDataUrl } from '../../src/formats/data-url.js';
import { toData } from '../../src/formats/yaml/yaml-tree.js';
import { readYaml } from '../../src/formats/yaml/yaml.js';
import { entriesAt, valueAt } from '../../src/ignition/foreign/config-entries.js';

/** An Ignition config and its location. */
export interface PlacedConfig {
  readonly place: string;
  readonly config: unknown;
}

/** Every Ignition config in the outputs: the files themselves, and those embedded in MachineConfigs and user data. */
export function ignitionConfigsIn(files: readonly OutputFile[]): readonly PlacedConfig[] {
  return files
    .filter(({ path }) => path.endsWith('.ign'))
    .flatMap(({ path, contents }) => {
      const config: unknown = JSON.parse(Buffer.from(contents).toString());
      return [
        { place: path, config },
        ...configsOnNode(config).map((each) => ({ ...each, place: `${path}: ${each.place}` })),
      ];
    });
}

function configsOnNode(config: unknown): readonly PlacedConfig[] {
  return entriesAt(config, ['storage', 'files']).flatMap(({ entry }) => {
    const [place, source] = [String(entry['path']), valueAt(entry, ['contents', 'source'])];
    const bytes = typeof source === 'string' ? decodeDataUrl(source) : undefined;
    return bytes !== undefined && /\.ya?ml$/.test(place) ? configsInManifest(place, bytes.toString()) : [];
  });
}

function configsInManifest(place: string, text: string): readonly PlacedConfig[] {
  if (/^kind: MachineConfig$/m.test(text))
    return [{ place, config: valueAt(dataOf(text), ['spec', 'config']) }];
  const userData = /^ {2}name: \w+-user-data$/m.test(text)
    ? valueAt(dataOf(text), ['data', 'userData'])
    : undefined;
  if (typeof userData !== 'string') return [];
  return [{ place, config: JSON.parse(Buffer.from(userData, 'base64').toString()) as unknown }];
}

function dataOf(text: string): unknown {
  const [document] = readYaml(text).documents;
  return document && toData(document);
}
