/**
 * Whether an image repository or scope is part of a scope: a registry, a repository prefix, or `*.` with a domain.
 * Source: openshift/runtime-utils pkg/registries, ScopeIsNestedInsideScope
 */
export function isNestedScope(inner: string, outer: string): boolean {
  if (inner === outer || inner.startsWith(`${outer}/`)) return true;
  if (!outer.startsWith('*.')) return false;
  const [first = ''] = inner.split(inner.includes(':') ? ':' : '/');
  return first.endsWith(outer.slice(1)) && !first.includes('/');
}

/** Source: openshift/runtime-utils pkg/registries, IsValidRegistriesConfScope */
export function isValidScope(scope: string): boolean {
  if (scope === '') return false;
  return !scope.includes('*') || /^\*\.[^/@:*]*$/.test(scope);
}
