import { byPath } from '../../core/compare.js';
import { writeTraced, type Traced } from '../../formats/yaml/traced.js';
import { inQuotes } from '../../formats/yaml/yaml-scalars.js';
import { documentsIn } from '../file-documents.js';
import { pullSecretName, type ImportedFile, type ImportedSite } from '../imported-site.js';
import { parseBmcAddress } from '../../remote/redfish/bmc-address.js';
import { Columns } from './columns.js';
import { escapePlaceholders } from './merge-patch-of.js';
import { sharedConfig } from './shared-config.js';

/** A file of a fleet. `path` is relative to the fleet folder. */
export interface FleetFile {
  readonly path: string;
  readonly text: string;
}

/** The plan that `fleet rollout` reads. */
export const rolloutPlanName = 'rollout.yaml';

type Site = Pick<ImportedSite, 'name' | 'files' | 'bmc' | 'isOnHold'>;

/**
 * Converts sites to a fleet: fleet.yaml, sites.csv with the values that differ, rollout.yaml with the sites on hold, `base/` with shared files,
 * and `overrides/` for the rest.
 * Each site resolves to the contents of its own files.
 */
export function fleetOfSites(sites: readonly Site[]): readonly FleetFile[] {
  const names = sites.map(({ name }) => name);
  const columns = new Columns(names);
  const paths = [...new Set(sites.flatMap(({ files }) => files.map(({ path }) => path)))];
  const made = paths.flatMap((path) => {
    const found = sites.map(({ files }) => files.find((file) => file.path === path));
    return sharedFile(path, found, { names, columns });
  });
  const boot = bootBlock(sites, columns);
  const fleet = `apiVersion: sno-install/v1alpha1\nkind: Fleet\nsites: sites.csv\n${boot}`;
  return [
    { path: 'fleet.yaml', text: fleet },
    { path: 'sites.csv', text: columns.text() },
    ...rolloutPlan(sites),
    ...made.toSorted(byPath),
  ];
}

/** A plan with the sites whose installation is on hold; none without such sites. */
function rolloutPlan(sites: readonly Site[]): readonly FleetFile[] {
  const held = sites.filter(({ isOnHold }) => isOnHold);
  if (held.length === 0) return [];
  const names = held.map(({ name }) => `    - ${inQuotes(name)}\n`).join('');
  return [
    { path: rolloutPlanName, text: `hold: # holdInstallation of these sites is true\n  only:\n${names}` },
  ];
}

/** The `boot` section with the BMC address. Empty unless every site has a usable address. */
function bootBlock(sites: readonly Site[], columns: Columns): string {
  const cells = sites.map(({ bmc }) => (isReachable(bmc) ? JSON.stringify(bmc) : undefined));
  if (cells.includes(undefined)) return '';
  return `boot:\n  address: \${${columns.named(['bmc'], cells)}}\n`;
}

/** Returns whether `fleet boot` accepts the address: Redfish over HTTPS without user and password. */
function isReachable(bmc: string | undefined): bmc is string {
  const address = bmc === undefined ? undefined : parseBmcAddress(bmc);
  return address !== undefined && !('fault' in address) && address.origin.startsWith('https:');
}

interface Sharing {
  readonly names: readonly string[];
  readonly columns: Columns;
}

function sharedFile(
  path: string,
  found: readonly (ImportedFile | undefined)[],
  { names, columns }: Sharing,
): readonly FleetFile[] {
  const there = found.filter((file) => file !== undefined);
  const [first] = there;
  const isEverywhere = there.length === found.length;
  if (first !== undefined && isEverywhere && there.every(({ text }) => text === first.text))
    return [{ path: `base/${path}`, text: asTemplate(first) }];
  const roots = there.map((file) => (path === pullSecretName ? undefined : oneDocument(file)));
  const known = roots.filter((root) => root !== undefined);
  if (isEverywhere && known.length === found.length) {
    const { base, overrides } = sharedConfig({ roots: known, names, columns });
    const own = overrides.map((patch, site) =>
      patch ? ofSite(names[site], path, writeTraced([patch], 'readable').text) : [],
    );
    return [{ path: `base/${path}`, text: writeTraced([base], 'readable').text }, ...own.flat()];
  }
  return found.flatMap((file, site) =>
    file === undefined ? [] : ofSite(names[site], path, asTemplate(file)),
  );
}

function ofSite(name = '', path: string, text: string): readonly FleetFile[] {
  return [{ path: `overrides/${name}/${path}`, text }];
}

function oneDocument(file: ImportedFile): Traced | undefined {
  const [root, second] = documentsIn(file) ?? [];
  return second === undefined ? root : undefined;
}

/** Escapes `${` in a file that a fleet expands. */
function asTemplate(file: ImportedFile): string {
  const documents = file.text.includes('${') ? documentsIn(file) : undefined;
  return documents === undefined
    ? file.text
    : writeTraced(documents.map(escapePlaceholders), 'readable').text;
}
