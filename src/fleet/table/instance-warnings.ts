import { isError, type Problem, type ProblemCode } from '../../core/problem.js';
import type { Fleet } from './fleet-file.js';
import type { FleetProblem } from '../problems/grouped-problems.js';
import type { SiteFiles } from './site-files.js';
import type { SiteRow } from './site-table.js';
import { scalarText, tracedAt } from '../../formats/yaml/traced.js';
import { variableNamesIn } from '../../config/variables.js';
import type { YamlNode } from '../../formats/yaml/yaml-tree.js';

interface Noted {
  readonly problem: Problem;
  readonly sites: string[];
}

/**
 * Collects settings of ClusterInstances that have no equivalent in the generated files. Each field is reported once, at the first site,
 * with the names of all sites that have it. Warnings: import/no-place, import/missing, import/left-out.
 */
export class InstanceWarnings {
  readonly #fleet: Pick<Fleet, 'boot'>;
  readonly #noted = new Map<string, Noted>();

  constructor(fleet: Pick<Fleet, 'boot'>) {
    this.#fleet = fleet;
  }

  /** Adds the warnings of a site, except for settings that fleet.yaml or the site's files provide in another way. */
  add({ name, layer }: Pick<SiteRow, 'name' | 'layer'>, files: Pick<SiteFiles, 'documentsOf'>): void {
    for (const each of layer?.problems ?? []) {
      if (isError(each) || this.#isGiven(each, files)) continue;
      const own = inFleet(each);
      const key = JSON.stringify([own.code, fieldOf(own), own.hint, own.message.replace(/".*"/, '')]);
      const noted = this.#noted.get(key);
      if (noted === undefined) this.#noted.set(key, { problem: own, sites: [name] });
      else {
        noted.sites.push(name);
        if (noted.problem.message !== own.message)
          this.#noted.set(key, { ...noted, problem: withoutValue(noted.problem) });
      }
    }
  }

  /** Returns the warnings in the order in which they were added. */
  list(): readonly FleetProblem[] {
    return [...this.#noted.values()];
  }

  #isGiven({ at, code }: Problem, files: Pick<SiteFiles, 'documentsOf'>): boolean {
    const field = at?.path ?? '';
    const { boot } = this.#fleet;
    if (/\.bmcAddress$/.test(field)) return boot !== undefined && variablesIn(boot).includes('bmc');
    // It is a hold of the fleet.
    if (/\.holdInstallation$/.test(field)) return true;
    if (/\.bmcCredentialsName$/.test(field)) return hasField(boot, 'credentials');
    const [sno] = files.documentsOf('sno-config.yaml');
    const isOfRelease = code === 'import/missing' && field.endsWith('.clusterImageSetNameRef');
    return isOfRelease && sno !== undefined && scalarText(tracedAt(sno, ['releaseImage'])) !== undefined;
  }
}

function hasField(node: YamlNode | undefined, name: string): boolean {
  return node?.kind === 'map' && node.entries.some(({ key }) => key === name);
}

function variablesIn(node: YamlNode): readonly string[] {
  if (node.kind === 'scalar') return variableNamesIn(node.text);
  return (node.kind === 'list' ? node.items : node.entries.map(({ value }) => value)).flatMap(variablesIn);
}

/** Path of the field without list indexes and without the prefix of SiteConfigs, so that equal fields of all files match. */
function fieldOf({ at }: Problem): string {
  return (at?.path ?? '').replaceAll(/\[\d+\]/g, '[]').replace(/^spec\.clusters\[\]/, 'spec');
}

function withoutValue(found: Problem): Problem {
  return { ...found, message: found.message.replace(/ ".*"/, '') };
}

const hints: Partial<Record<ProblemCode, string>> = {
  'import/missing': 'add it to the directory of the sites, or put its settings into the base or an override',
  'import/left-out': 'add it as a manifest to manifests/ of the base or of an override',
};

const hintsOfFields: readonly (readonly [RegExp, string])[] = [
  [/\.bmcAddress$/, 'to boot the machines with `fleet boot`, add "address: ${bmc}" below boot in fleet.yaml'],
  [
    /\.bmcCredentialsName$/,
    'put the BMC logins into an encrypted file and set boot.credentials in fleet.yaml to its path',
  ],
];

/** Replaces hints for an import by hints for a fleet. */
function inFleet(found: Problem): Problem {
  const field = found.at?.path ?? '';
  const own = hintsOfFields.find(([path]) => path.test(field))?.[1] ?? hints[found.code];
  // An address may contain a password, and its masked value adds nothing.
  const message = found.message.replace(' "…"', '');
  return { ...found, message, ...(own !== undefined && { hint: own }) };
}
