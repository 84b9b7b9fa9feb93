import { namesSecret } from './secrets.js';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The environment for a program that the user has named, or that ssh starts for them: without private keys and pull secrets, which a
 * config reads by `env:NAME`. Credentials such as those of AWS stay, since `sops`, `vault` or a ProxyCommand may need them.
 */
export function childEnvironment(variables: Variables): Record<string, string> {
  const kept = Object.entries(variables).flatMap(([name, value]) =>
    value === undefined || isKeyOrPullSecret(value) ? [] : [[name, value] as const],
  );
  return Object.fromEntries(kept);
}

function isKeyOrPullSecret(value: string): boolean {
  return /^\s*-----BEGIN [A-Z0-9 ]*PRIVATE KEY/.test(value) || /^\s*\{\s*"auths"/.test(value);
}

/** The values of variables whose names speak of a secret. */
export function secretValues(variables: Variables): readonly string[] {
  return Object.entries(variables).flatMap(([name, value]) =>
    value !== undefined && namesSecret(name) ? [value] : [],
  );
}

/** A text without these secrets. */
export function withoutValues(text: string, secrets: readonly string[]): string {
  const lines = secrets.flatMap((secret) => secret.split('\n')).map((line) => line.trim());
  // The longest first: one may be a part of another. What is shorter than a password would hide words.
  const sought = lines.filter((line) => line.length >= 4).toSorted((one, other) => other.length - one.length);
  return sought.reduce((shown, secret) => shown.replaceAll(secret, '[redacted]'), text);
}
