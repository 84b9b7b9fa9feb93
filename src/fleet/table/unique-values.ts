import { problem, type Place, type Problem } from '../../core/problem.js';
import type { SiteFiles } from './site-files.js';
import { scalarText, tracedAt, type Traced } from '../../formats/yaml/traced.js';

/** A value that must be unique among sites. */
export interface UniqueValue {
  /** Name of the value in messages. */
  readonly what: string;
  /** Normalized value: equal for all spellings. */
  readonly key: string;
  readonly at: Place;
}

/** Detects sites that share a value that must be unique: node IP, cluster domain or MAC address. Problems: fleet/shared-value. */
export class UniqueValues {
  /** Name of the first site with each value. */
  readonly #first = new Map<string, string>();

  /** Adds the values of a site and reports those that an earlier site has. */
  add(site: string, files: SiteFiles): readonly Problem[] {
    return uniqueValuesOf(files).flatMap(({ what, key, at }) => {
      const earlier = this.#first.get(key);
      if (earlier === undefined) this.#first.set(key, site);
      if (earlier === undefined || earlier === site) return [];
      const message = `${what} is already used by the site ${earlier}`;
      return [problem('fleet/shared-value', message, { at, hint: 'use a different value for each site' })];
    });
  }
}

/** Node IP, cluster domain and MAC addresses of a site. */
export function uniqueValuesOf(files: SiteFiles): readonly UniqueValue[] {
  const [sno] = files.documentsOf('sno-config.yaml');
  const [install] = files.documentsOf('install-config.yaml');
  const nodeIp = valueAt(sno, ['nodeIP']);
  const [name, domain] = [valueAt(install, ['metadata', 'name']), valueAt(install, ['baseDomain'])];
  return [
    ...(nodeIp ? [{ what: 'this nodeIP', key: `ip ${nodeIp.text.toLowerCase()}`, at: nodeIp.at }] : []),
    ...(name && domain
      ? [{ what: 'this cluster name and domain', key: `cluster ${name.text}.${domain.text}`, at: name.at }]
      : []),
    ...macAddressesOf(sno).map(({ text, at }) => ({ what: 'this MAC address', key: `mac ${text}`, at })),
  ];
}

/** MAC addresses of the interfaces in sno-config.yaml, in lower case. */
export function macAddressesOf(
  sno: Traced | undefined,
): readonly { readonly text: string; readonly at: Place }[] {
  const interfaces = sno && tracedAt(sno, ['network', 'interfaces']);
  const items = interfaces?.kind === 'list' ? interfaces.items : [];
  return items.flatMap((item) => {
    const mac = valueAt(item, ['mac-address']);
    return mac ? [{ text: mac.text.toLowerCase(), at: mac.at }] : [];
  });
}

function valueAt(
  root: Traced | undefined,
  path: readonly (string | number)[],
): { readonly text: string; readonly at: Place } | undefined {
  const node = root && tracedAt(root, path);
  const text = scalarText(node);
  return node === undefined || text === undefined
    ? undefined
    : { text, at: node.origin.cell ?? node.origin.at };
}
