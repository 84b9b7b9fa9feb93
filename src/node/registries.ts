import type { InstallConfig } from '../config/schema/install-config-schema.js';

/**
 * /etc/containers/registries.conf with the mirrors of the payload and of the install-config; undefined without mirrors. Sources keep
 * their order. A source that is listed twice keeps all its mirrors and is blocked if either entry blocks it.
 * Source: containers-registries.conf(5), version 2
 */
export function registriesConf(
  install: InstallConfig,
  ofPayload: readonly Registry[] = [],
): string | undefined {
  const registries = [...ofPayload, ...mergedSources(install)];
  if (registries.length === 0) return undefined;
  return registries.map(registryTable).join('\n');
}

/** A mirrored source. */
export interface Registry {
  readonly location: string;
  readonly mirrors: readonly string[];
  readonly isBlocked: boolean;
}

/** All sources with their mirrors, in the order of the config. */
export function mergedSources({
  imageDigestSources,
  imageContentSources,
}: InstallConfig): readonly Registry[] {
  const merged = new Map<string, Registry>();
  for (const { source, mirrors, ...rest } of [...imageDigestSources, ...imageContentSources]) {
    const earlier = merged.get(source);
    const neverContacted = 'sourcePolicy' in rest && rest.sourcePolicy === 'NeverContactSource';
    merged.set(source, {
      location: source,
      mirrors: [...new Set([...(earlier?.mirrors ?? []), ...mirrors])],
      isBlocked: neverContacted || (earlier?.isBlocked ?? false),
    });
  }
  return [...merged.values()];
}

function registryTable({ location, mirrors, isBlocked }: Registry): string {
  const registry = [
    '[[registry]]',
    `location = ${tomlString(location)}`,
    'insecure = false',
    'mirror-by-digest-only = true',
    ...(isBlocked ? ['blocked = true'] : []),
  ];
  const tables = mirrors.map(
    (mirror) => `\n[[registry.mirror]]\nlocation = ${tomlString(mirror)}\ninsecure = false\n`,
  );
  return `${registry.join('\n')}\n${tables.join('')}`;
}

/** A TOML basic string; its escapes are a superset of JSON's. */
function tomlString(text: string): string {
  return JSON.stringify(text);
}
