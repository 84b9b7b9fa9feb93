import { quoted } from '../../../core/quoted.js';
import { contains, parseAddress, parseCidr, type Cidr } from '../../../formats/cidr.js';
import { goUrlFault } from '../../../formats/go-url.js';
import { domainNameFault } from '../../../formats/hostname.js';
import { alternatives } from '../../../formats/schema-wording.js';
import type { Finding } from '../../schema/rule.js';
import type { InstallRule, InstallSubject } from './install-subject.js';
import { readNetworksOf } from './networks.js';

/** Rules on the proxy. Proxy URLs may contain passwords, so no message repeats one. */
export const proxyRules: readonly InstallRule[] = [
  {
    number: 44,
    fields: ['proxy'],
    text: 'proxy has httpProxy or httpsProxy.',
    origin: 'openshift-install',
    check: anyUrl,
  },
  {
    number: 45,
    fields: ['proxy.httpProxy', 'proxy.httpsProxy'],
    text: 'A proxy is an absolute URL with a host: http for httpProxy, http or https for httpsProxy.',
    origin: 'openshift-install',
    check: (subject) =>
      checkUrls(subject, ({ text, schemes }) => formFault(text) ?? schemeFault(text, schemes)),
  },
  {
    number: 46,
    fields: ['proxy.httpProxy', 'proxy.httpsProxy'],
    text: 'A proxy address is outside of the cluster and service networks and of internalJoinSubnet.',
    origin: 'openshift-install',
    check: outsideOfCluster,
  },
  {
    number: 47,
    fields: ['proxy.httpProxy', 'proxy.httpsProxy'],
    text: 'Go programs can parse the URL of a proxy: "%" is followed by two hexadecimal digits, and is not in the host.',
    origin: 'sno-install',
    // Faults that rule 45 reports are not repeated in Go's wording.
    check: (subject) =>
      checkUrls(subject, ({ text }) => (formFault(text) === undefined ? goUrlFault(text) : undefined)),
  },
  {
    number: 48,
    fields: ['proxy.noProxy'],
    text: 'noProxy is * alone, or comma-separated domains, addresses and networks without blanks and wildcards.',
    origin: 'openshift-install',
    check: noProxy,
  },
];

function anyUrl({ input }: InstallSubject): readonly Finding[] {
  if (!input.proxy || input.proxy.httpProxy || input.proxy.httpsProxy) return [];
  return [
    {
      code: 'config/missing-field',
      path: ['proxy'],
      message: 'proxy has neither httpProxy nor httpsProxy',
      hint: 'set one of them, or remove proxy',
    },
  ];
}

interface ProxyUrl {
  readonly name: 'httpProxy' | 'httpsProxy';
  readonly text: string;
  readonly schemes: readonly string[];
}

function urlsOf({ config }: InstallSubject): readonly ProxyUrl[] {
  const { httpProxy = '', httpsProxy = '' } = config.proxy ?? {};
  const urls: readonly ProxyUrl[] = [
    { name: 'httpProxy', text: httpProxy, schemes: ['http'] },
    { name: 'httpsProxy', text: httpsProxy, schemes: ['http', 'https'] },
  ];
  return urls.filter(({ text }) => text !== '');
}

const howToWrite = 'write it as http://host:port, with characters such as "@" in a password as "%40"';

function checkUrls(
  subject: InstallSubject,
  faultOf: (url: ProxyUrl) => string | undefined,
  hint = howToWrite,
): readonly Finding[] {
  return urlsOf(subject).flatMap((url) => {
    const fault = faultOf(url);
    if (fault === undefined) return [];
    return [
      {
        code: 'config/proxy-url' as const,
        path: ['proxy', url.name],
        message: `proxy.${url.name} ${fault}`,
        hint,
      },
    ];
  });
}

function formFault(text: string): string | undefined {
  // RFC 3986 §2: the characters allowed in a URL. WHATWG's URL would silently encode others.
  if (!/^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+$/.test(text))
    return 'contains a character that is not allowed in a URL';
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return 'is not an absolute URL';
  if (!parseUrl(text)) return 'is not a URL';
  // Allowed by RFC 3986 §3.2.2, but rejected by Go's net/url.
  const authority = /:\/\/([^/?#]*)/.exec(text)?.[1] ?? '';
  return authority.slice(authority.lastIndexOf('@') + 1).includes('%')
    ? 'contains "%" in its host name'
    : undefined;
}

/** Only for syntactically valid URLs. */
function schemeFault(text: string, schemes: readonly string[]): string | undefined {
  const scheme = new URL(text).protocol.replace(':', '');
  return schemes.includes(scheme) ? undefined : `must be an ${alternatives(schemes)} URL, not ${scheme}`;
}

function parseUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && url.hostname !== '' ? url : undefined;
}

function outsideOfCluster(subject: InstallSubject): readonly Finding[] {
  const { networking } = subject.config;
  const join = parseCidr(networking.ovnKubernetesConfig?.ipv4?.internalJoinSubnet ?? '');
  const inside: readonly { readonly use: string; readonly cidr: Cidr }[] = [
    ...readNetworksOf(networking)
      .filter(({ list }) => list !== 'machineNetwork')
      .map(({ list, cidr }) => ({ use: list, cidr })),
    ...(join ? [{ use: 'internalJoinSubnet', cidr: join }] : []),
  ];
  const faultOf = ({ text }: ProxyUrl): string | undefined => {
    const host = parseAddress(parseUrl(text)?.hostname.replace(/^\[|\]$/g, '') ?? '');
    const network = host && inside.find(({ cidr }) => contains(cidr, host));
    return network && `has an address in ${network.use}`;
  };
  return checkUrls(subject, faultOf, 'use the address of the proxy outside the cluster');
}

function noProxy({ config }: InstallSubject): readonly Finding[] {
  const text = config.proxy?.noProxy ?? '';
  if (text === '' || text === '*') return [];
  const place = { code: 'config/no-proxy' as const, path: ['proxy', 'noProxy'] };
  if (/\s/.test(text))
    return [
      {
        ...place,
        message: 'noProxy contains a space',
        hint: 'separate the items with commas only',
      },
    ];
  return text.split(',').flatMap((item) => {
    if (isExempt(item)) return [];
    const message =
      item === ''
        ? 'noProxy has an empty item'
        : `noProxy item ${quoted(item)} is not a domain, address or network`;
    return [{ ...place, message, hint: exemptHint(item) }];
  });
}

function isExempt(item: string): boolean {
  return (
    parseAddress(item) !== undefined ||
    parseCidr(item) !== undefined ||
    domainNameFault(item.replace(/^\./, '').replace(/\.$/, '')) === undefined
  );
}

function exemptHint(item: string): string | undefined {
  if (item.startsWith('*.')) return `write "${item.slice(1)}" for a domain and its subdomains`;
  const lower = item.toLowerCase();
  return lower !== item && isExempt(lower) ? `write "${lower}"` : undefined;
}
