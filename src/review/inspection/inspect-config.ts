import { isRecord } from '../../core/is-record.js';
import { textAt, fieldAt, listAt } from '../../kube/fields.js';
import { configsIn, unpackedBytes, type NestedConfig } from '../config-pieces.js';
import { octal, partsOf, unpackUpTo, type Part } from '../node-parts.js';
import { renderPath, renderWord } from '../render-text.js';
import { sshFingerprint } from './ssh-fingerprint.js';

export interface InspectedFile {
  readonly path: string;
  /** Four octal digits. */
  readonly mode: string;
  readonly owner: string;
  /** Size; absent for a remote file. */
  readonly bytes?: number;
  /** Notes as in the index of a tree: `append`, `once`, `fetched`, `gzip`. */
  readonly notes: readonly string[];
}

/** `as it is`: the config neither enables nor disables the unit. */
export interface InspectedUnit {
  readonly name: string;
  readonly state: 'enabled' | 'disabled' | 'masked' | 'not-set';
  readonly hasText: boolean;
  readonly dropins: readonly string[];
}

export interface InspectedUser {
  readonly name: string;
  /** Fingerprints in the format of `ssh-keygen -l`. */
  readonly sshKeys: readonly string[];
  readonly hasPassword: boolean;
}

/** The printable contents of a config and of the configs embedded in it. */
export interface InspectedConfig {
  /** Spec version of the outermost config. */
  readonly specVersion: string;
  /** Number of embedded configs. */
  readonly mergedConfigs: number;
  /** URLs of remote configs, without query. */
  readonly fetchedConfigs: readonly string[];
  readonly files: readonly InspectedFile[];
  readonly units: readonly InspectedUnit[];
  readonly users: readonly InspectedUser[];
  readonly kernelArguments: { readonly added: readonly string[]; readonly removed: readonly string[] };
}

/** A part of a config with its printable path. */
export interface ShownPart extends Part {
  readonly shown: string;
}

/** Lists the contents of any Ignition config. Returns undefined for other bytes. */
export function inspectConfig(bytes: Uint8Array):
  | {
      readonly config: InspectedConfig;
      readonly parts: readonly ShownPart[];
      /** The parsed configs, outermost first. */
      readonly configs: readonly NestedConfig['config'][];
    }
  | undefined {
  const unpack = unpackUpTo(unpackedBytes);
  const configs = configsIn(bytes, unpack);
  const [outermost] = configs;
  if (outermost === undefined) return undefined;
  const parts = configs.flatMap(({ place, config }) =>
    partsOf(config, unpack).map((part) => ({ ...part, shown: `${place}${renderPath(part.path)}` })),
  );
  const all = configs.map(({ config }) => config);
  const words = (name: string): readonly string[] =>
    all.flatMap((config) => textsOf(listAt(config, ['kernelArguments', name])));
  return {
    parts,
    configs: all,
    config: {
      specVersion: renderWord(textAt(outermost.config, ['ignition', 'version']) ?? ''),
      mergedConfigs: configs.length - 1,
      fetchedConfigs: all.flatMap(fetchedConfigsIn),
      files: parts.filter(({ notes }) => !isOfUnit(notes)).map(fileOf),
      units: all.flatMap((config) => listAt(config, ['systemd', 'units']).flatMap(unitOf)),
      users: all.flatMap(usersIn),
      kernelArguments: { added: words('shouldExist'), removed: words('shouldNotExist') },
    },
  };
}

function isOfUnit(notes: readonly string[]): boolean {
  return notes.includes('unit') || notes.includes('drop-in');
}

function fileOf({ shown, mode, owner, bytes, isFetched, notes }: ShownPart): InspectedFile {
  return {
    path: shown,
    mode: octal(mode),
    owner: renderWord(owner),
    ...(!isFetched && { bytes: bytes.length }),
    notes: notes.map((note) => renderWord(note)),
  };
}

function unitOf(unit: unknown): readonly InspectedUnit[] {
  const name = textAt(unit, ['name']);
  if (name === undefined) return [];
  const enabled = fieldAt(unit, ['enabled']);
  const state = enabled === true ? 'enabled' : enabled === false ? 'disabled' : 'not-set';
  return [
    {
      name: renderPath(name),
      state: fieldAt(unit, ['mask']) === true ? 'masked' : state,
      hasText: textAt(unit, ['contents']) !== undefined,
      dropins: listAt(unit, ['dropins']).map((each) => renderPath(textAt(each, ['name']) ?? '')),
    },
  ];
}

/** Lists the users of a config. */
export function usersIn(config: unknown): readonly InspectedUser[] {
  return listAt(config, ['passwd', 'users']).flatMap(userOf);
}

function userOf(user: unknown): readonly InspectedUser[] {
  const name = textAt(user, ['name']);
  if (name === undefined) return [];
  return [
    {
      name: renderWord(name),
      sshKeys: listAt(user, ['sshAuthorizedKeys']).map(sshFingerprint),
      hasPassword: textAt(user, ['passwordHash']) !== undefined,
    },
  ];
}

/** URLs of the remote configs that a config names. */
export function fetchedConfigsIn(config: unknown): readonly string[] {
  const merged = listAt(config, ['ignition', 'config', 'merge']);
  return [...merged, fieldAt(config, ['ignition', 'config', 'replace'])]
    .filter(isRecord)
    .map((each) => textAt(each, ['source']) ?? '')
    .filter((source) => source !== '' && !source.startsWith('data:'))
    .map((source) => renderWord(source.replace(/[?#].*/s, '')));
}

function textsOf(values: readonly unknown[]): readonly string[] {
  return values.flatMap((each) => (typeof each === 'string' ? [renderWord(each)] : []));
}
