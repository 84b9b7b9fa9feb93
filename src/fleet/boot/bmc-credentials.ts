import { problem } from '../../core/problem.js';
import { Redacted } from '../../core/redacted.js';
import { failure, success, type Result } from '../../core/result.js';
import { readYaml } from '../../formats/yaml/yaml.js';
import type { YamlEntry, YamlNode } from '../../formats/yaml/yaml-tree.js';
import { matchesPattern } from '../table/site-selection.js';
import type { SiteBmcUser } from './visit-bmc.js';

/** Returns the BMC user of a site; undefined if the credentials file has no entry for it. */
export type BmcUserLookup = (site: string) => SiteBmcUser | undefined;

/**
 * Reads BMC users keyed by site name; `*` in a key matches any part of a name. An exact name wins, then the first matching pattern.
 * Problems: boot/credentials, with line numbers but without values.
 */
export function readBmcUsers(text: string, shownAs: string): Result<BmcUserLookup> {
  const { documents, faults } = readYaml(text);
  const [root, second] = documents;
  if (faults.length > 0 || second !== undefined || root?.kind !== 'map')
    return failure(fault(shownAs, 'is not a YAML map', faults[0]?.span.line));
  const read = root.entries.map((entry) => ({ pattern: entry.key, user: userOf(entry, shownAs), entry }));
  const broken = read.filter(({ user }) => user === undefined);
  if (broken.length > 0)
    return failure(
      ...broken.map(({ entry }) =>
        fault(shownAs, 'has an entry without username or password', entry.keySpan.line),
      ),
    );
  return success(
    (site) =>
      (
        read.find(({ pattern }) => pattern === site) ??
        read.find(({ pattern }) => matchesPattern(site, pattern))
      )?.user,
  );
}

function fault(shownAs: string, what: string, line: number | undefined): ReturnType<typeof problem> {
  const hint =
    'write "site-1: {username: …, password: …}", or "\'*\': …" for all sites; example in docs/fleet-boot.md';
  const where = line === undefined ? '' : ` (line ${line})`;
  return problem('boot/credentials', `${shownAs} ${what}${where}`, { hint });
}

function userOf({ key: entry, value }: YamlEntry, shownAs: string): SiteBmcUser | undefined {
  if (value.kind !== 'map' || value.entries.length !== 2) return undefined;
  const textOf = (key: string): string => textIn(value.entries.find((each) => each.key === key)?.value);
  const [name, password] = [textOf('username'), textOf('password')];
  if (name === '' || password === '') return undefined;
  return { name, password: new Redacted(password), source: `${entryName(entry)} of ${shownAs}` };
}

/** The key of an entry, if it looks like a site name or a pattern. */
function entryName(key: string): string {
  return /^[a-z0-9.*-]{1,63}$/.test(key) ? `the entry "${key}"` : 'the entry of this site';
}

/** Uses the text as written, so that a password of digits keeps its leading zeros. */
function textIn(node: YamlNode | undefined): string {
  return node?.kind === 'scalar' && node.value !== null ? node.text : '';
}
