/**
 * Credentials for a repository in a pull secret, as `user:password` in base64. The longest matching prefix of the repository's
 * name wins; undefined if there is none. Source: containers-auth.json(5)
 */
export function credentialsFor(pullSecret: string, repository: string): string | undefined {
  const auths = authsIn(pullSecret);
  const parts = repository.split('/');
  for (let length = parts.length; length > 0; length -= 1) {
    const auth = auths.get(parts.slice(0, length).join('/'));
    if (auth !== undefined) return auth;
  }
  return undefined;
}

/** By registry or repository. Older files name a registry by its URL. */
function authsIn(pullSecret: string): ReadonlyMap<string, string> {
  const data = JSON.parse(pullSecret) as {
    readonly auths?: Readonly<Record<string, { readonly auth?: unknown }>>;
  };
  return new Map(
    Object.entries(data.auths ?? {}).flatMap(([name, { auth }]) =>
      typeof auth === 'string' ? [[plain(name), auth] as const] : [],
    ),
  );
}

function plain(name: string): string {
  const host = name.replace(/^https?:\/\//, '').replace(/\/(v[12]\/?)?$/, '');
  return host === 'index.docker.io' ? 'docker.io' : host;
}
