import { namesSecret } from './secrets.js';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Environment for a program that the user names or that ssh starts for the user. Leaves out private keys and pull secrets, which a
 * config reads with `env:NAME`. Keeps credentials such as those of AWS, because `sops`, `vault` or a ProxyCommand may need them.
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

/** Values of the variables whose names look like secrets. */
export function secretValues(variables: Variables): readonly string[] {
  return Object.entries(variables).flatMap(([name, value]) =>
    value !== undefined && namesSecret(name) ? [value] : [],
  );
}

/** Removes the given secrets from a text. */
export function redactValues(text: string, secrets: readonly string[]): string {
  const lines = secrets.flatMap((secret) => secret.split('\n')).map((line) => line.trim());
  // Longest first, because one secret may be part of another. Very short lines are skipped, because they would match ordinary words.
  const sought = lines.filter((line) => line.length >= 4).toSorted((one, other) => other.length - one.length);
  return sought.reduce((shown, secret) => shown.replaceAll(secret, '[redacted]'), text);
}
