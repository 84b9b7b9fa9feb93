import type { Place } from '../../core/problem.js';
import { templateParts } from '../../config/variables.js';
import { decodeUtf8 } from '../../formats/utf8.js';
import { pathText, nodeAt, type FieldPath, type YamlNode } from '../../formats/yaml/yaml-tree.js';
import { readYaml } from '../../formats/yaml/yaml.js';
import type { Inputs } from '../../graph/context.js';

/** Hardware value that a field of the configuration takes. */
export type HardwareField = 'mac' | 'disk' | 'serialNumber' | 'wwn';

/** A column of the table whose use in a file tells which hardware value it holds. */
export interface ColumnUse {
  readonly column: string;
  readonly field: HardwareField;
  /** Place of the placeholder. */
  readonly at: Place;
  /** The placeholder has a default, so an empty cell is intended. */
  readonly hasDefault: boolean;
}

/** A folder with the files of a site: the base or a class. */
export interface TemplateFolder {
  /** Path of the folder, as problems show it. */
  readonly shown: string;
  readonly read: (file: string) => ReturnType<Inputs['read']>;
}

/**
 * Columns that are the whole value of a field with a hardware value, in the order of their use. A column with two different uses is
 * left out: its value would suit only one of them.
 */
export function columnUses(folders: readonly TemplateFolder[]): readonly ColumnUse[] {
  const found = folders.flatMap(usesIn);
  const byColumn = new Map<string, ColumnUse>();
  for (const use of found) if (!byColumn.has(use.column)) byColumn.set(use.column, use);
  return [...byColumn.values()].filter(({ column, field }) =>
    found.every((each) => each.column !== column || each.field === field),
  );
}

function usesIn(folder: TemplateFolder): readonly ColumnUse[] {
  const install = documentIn(folder, 'install-config.yaml');
  const sno = documentIn(folder, 'sno-config.yaml');
  const interfaces = sno && nodeAt(sno.root, ['network', 'interfaces']);
  const count = interfaces?.kind === 'list' ? interfaces.items.length : 0;
  return [
    ...useAt(install, ['bootstrapInPlace', 'installationDisk'], 'disk'),
    ...useAt(sno, ['rootDeviceHints', 'deviceName'], 'disk'),
    ...useAt(sno, ['rootDeviceHints', 'wwn'], 'wwn'),
    ...useAt(sno, ['rootDeviceHints', 'wwnWithExtension'], 'wwn'),
    ...useAt(sno, ['rootDeviceHints', 'serialNumber'], 'serialNumber'),
    ...Array.from({ length: count }, (_, index): FieldPath => ['network', 'interfaces', index]).flatMap(
      (path) =>
        sno !== undefined && selectsByMac(sno.root, path) ? useAt(sno, [...path, 'mac-address'], 'mac') : [],
    ),
  ];
}

/** Otherwise the address is set on the interface and need not be that of the hardware. Source: nmstate.io, `identifier` */
function selectsByMac(root: YamlNode, path: FieldPath): boolean {
  const identifier = nodeAt(root, [...path, 'identifier']);
  return identifier?.kind === 'scalar' && identifier.text === 'mac-address';
}

interface TemplateDocument {
  readonly file: string;
  readonly root: YamlNode;
}

function documentIn({ shown, read }: TemplateFolder, name: string): TemplateDocument | undefined {
  const found = read(name);
  const text = found.kind === 'file' ? decodeUtf8(found.bytes) : undefined;
  const [root] = text === undefined ? [] : readYaml(text).documents;
  return root && { file: `${shown}/${name}`, root };
}

function useAt(
  document: TemplateDocument | undefined,
  path: FieldPath,
  field: HardwareField,
): readonly ColumnUse[] {
  const node = document && nodeAt(document.root, path);
  if (node?.kind !== 'scalar') return [];
  const [only, second] = templateParts(node.text);
  if (only?.kind !== 'variable' || second !== undefined) return [];
  const at = { file: document?.file ?? '', path: pathText(path), ...node.span };
  return [{ column: only.name, field, at, hasDefault: only.fallback !== undefined }];
}
