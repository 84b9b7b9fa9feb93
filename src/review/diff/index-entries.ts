import { treePath } from '../tree-path.js';
import type { ItemKind } from './difference.js';
import { linesIn } from './line-changes.js';

export interface TreeLocation {
  /** The config that contains the path; for an index or another output, its folder. */
  readonly of: string;
  readonly part: 'config' | 'entries' | 'entry' | 'index' | 'output';
  /** The rest of the path. */
  readonly path: string;
}

/**
 * Classifies a path of a tree. Source: `explode`, which writes a config as `NAME.ign.json`, `NAME.ign.d/` and `NAME.ign.merge/`.
 */
export function locateInTree(path: string): TreeLocation {
  const [, of = '', below = ''] = /^(.*?\.ign(?:\.merge\/\d+\.ign)*)\.(json$|d\/.*$)/.exec(path) ?? [];
  if (below === 'json') return { of, part: 'config', path: '' };
  if (below === 'd/index.txt') return { of, part: 'entries', path: '' };
  if (below !== '') return { of, part: 'entry', path: below.slice(1) };
  const [, folder = '', name = ''] = /^(?:(.*)\/)?([^/]*)$/.exec(path) ?? [];
  return name === 'index.txt' ? { of: folder, part: 'index', path } : { of: '', part: 'output', path };
}

/** A line of a config's index. */
export interface IndexEntry {
  readonly kind: ItemKind;
  readonly name: string;
  readonly facts: Readonly<Record<string, string>>;
  /** Path of its text, relative to the config's folder. */
  readonly treePath: string;
  readonly template?: string;
}

/** Parses a config's index. */
export function parseIndex(index: string): readonly IndexEntry[] {
  return linesIn(index).map(entryOf);
}

function entryOf(line: string): IndexEntry {
  const [, link, linkOwner = '', from = '', target = ''] =
    /^(link|hard link) (\S+) - (.*?) -> (.*)$/.exec(line) ?? [];
  if (link !== undefined)
    return { kind: 'link', name: from, facts: { kind: link, owner: linkOwner, target }, treePath: '' };
  const [, mode = '', owner = '', size = '', rest = ''] = /^(\d{4}) (\S+) (\S+) (.*)$/.exec(line) ?? [];
  if (rest.endsWith('/') && size === '-')
    return { kind: 'folder', name: rest, facts: { mode, owner }, treePath: '' };
  return fileEntry(rest === '' ? line : rest, { mode, owner });
}

function fileEntry(rest: string, facts: IndexEntry['facts']): IndexEntry {
  const [, path = rest, said = ''] = /^(.*?)(?: \(([^()]*)\))?$/.exec(rest) ?? [];
  const notes = said === '' ? [] : said.split(', ');
  const template = notes.find((note) => /^template\b/.test(note));
  const ways = notes.filter((note) => note !== template && !['unit', 'drop-in'].includes(note));
  const isUnit = notes.some((note) => ['unit', 'drop-in'].includes(note));
  return {
    kind: isUnit ? 'unit' : 'file',
    name: isUnit ? path.replace('/etc/systemd/system/', '') : path,
    facts: { ...facts, ...(ways.length > 0 && { [isUnit ? 'state' : 'way']: ways.join(', ') }) },
    treePath: treePath(path),
    ...(template !== undefined && {
      template: template === 'template' ? `live${path}` : template.slice('template '.length),
    }),
  };
}
