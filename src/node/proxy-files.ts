import type { NodeFile } from '../ignition/types.js';
import type { ProxyUrls } from '../kube/openshift-objects.js';

/** Proxy settings for login shells and all units, if there is a proxy. Mode 0600, because a proxy URL may contain a password. */
export function proxyFiles(proxy: ProxyUrls): readonly NodeFile[] {
  const variables = proxyVariables(proxy);
  if (variables.length === 0) return [];
  return [
    { path: '/etc/profile.d/proxy.sh', mode: 0o600, contents: shellExports(variables) },
    {
      path: '/etc/systemd/system.conf.d/10-default-env.conf',
      mode: 0o600,
      contents: defaultEnvironment(variables),
    },
  ];
}

type Variables = readonly (readonly [name: string, value: string])[];

function proxyVariables({ httpProxy = '', httpsProxy = '', noProxy = '' }: ProxyUrls): Variables {
  const all = [
    ['HTTP_PROXY', httpProxy],
    ['HTTPS_PROXY', httpsProxy],
    ['NO_PROXY', noProxy],
  ] as const;
  return all.filter(([, value]) => value !== '');
}

function shellExports(variables: Variables): string {
  return variables.map(([name, value]) => `export ${name}='${value.replaceAll("'", `'\\''`)}'\n`).join('');
}

/**
 * Escapes `%` (a systemd specifier), backslashes and quotes.
 * Source: systemd-system.conf(5) DefaultEnvironment=, systemd.syntax(7)
 */
function defaultEnvironment(variables: Variables): string {
  const assignments = variables.map(
    ([name, value]) => `"${name}=${value.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('%', '%%')}"`,
  );
  return `[Manager]\nDefaultEnvironment=${assignments.join(' ')}\n`;
}
