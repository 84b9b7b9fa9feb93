import { quoted } from '../../../core/quoted.js';
import { formatAddress, parseAddress } from '../../../formats/cidr.js';
import { goUrlFault } from '../../../formats/go-url.js';
import { isAutomatic, presentInterfaces } from '../../network/interfaces.js';
import type { InterfaceDescription, NetworkDescription } from '../../schema/network-model.js';
import type { Finding } from '../../schema/rule.js';
import type { SnoConfig } from '../../schema/sno-config-schema.js';
import type { SnoRule, SnoSubject } from './sno-subject.js';

export const diskEncryptionRules: readonly SnoRule[] = [
  {
    number: 161,
    fields: ['diskEncryption'],
    text: 'diskEncryption has tpm2 or a Tang server, and at least as many of them as threshold.',
    origin: 'sno-install',
    check: pins,
  },
  {
    number: 162,
    fields: ['diskEncryption.tang[].url', 'diskEncryption.tang[].thumbprint'],
    text: 'A Tang server has an http or https URL without user, query and fragment, and the thumbprint of its key: 43 characters of base64url (SHA-256), or 27 (SHA-1). No server is given twice. With https, the certificate is verified with the CAs of the image (a warning).',
    origin: 'sno-install',
    check: servers,
  },
  {
    number: 163,
    fields: ['diskEncryption.tang', 'network.interfaces'],
    text: 'If the addresses of `network` are static, a kernel argument ip= configures the network for Tang servers.',
    origin: 'sno-install',
  },
];

const code = 'config/disk-encryption';

function pins({ config: { diskEncryption } }: SnoSubject): readonly Finding[] {
  if (diskEncryption === undefined) return [];
  const { tpm2, tang, threshold } = diskEncryption;
  const count = Number(tpm2) + tang.length;
  if (count === 0) {
    const message = 'diskEncryption has neither tpm2 nor tang, so nothing would unlock the disk';
    const hint = 'add "tpm2: true" or Tang servers, or remove diskEncryption';
    return [{ code, path: ['diskEncryption'], target: 'key', message, hint }];
  }
  if (threshold <= count) return [];
  const message = `threshold is ${threshold}, but only ${count} ${count === 1 ? 'is' : 'are'} given to unlock the disk`;
  const hint = `write at most ${count}, or add Tang servers`;
  return [{ code, path: ['diskEncryption', 'threshold'], message, hint }];
}

function servers({ config: { diskEncryption } }: SnoSubject): readonly Finding[] {
  const tang = diskEncryption?.tang ?? [];
  return tang.flatMap(({ url, thumbprint }, index): readonly Finding[] => {
    const path = ['diskEncryption', 'tang', index];
    const fault = tangUrlFault(url);
    const isRepeated = tang.slice(0, index).some((other) => withoutSlash(other.url) === withoutSlash(url));
    const repeated = isRepeated ? 'is given twice, and counts once' : undefined;
    const urlFault = fault ?? repeated;
    return [
      ...(urlFault === undefined
        ? httpsWarning(url, [...path, 'url'])
        : [
            {
              code,
              path: [...path, 'url'],
              message: `tang[${index}].url ${urlFault}`,
              hint: urlHint,
            } as const,
          ]),
      ...(isThumbprint(thumbprint)
        ? []
        : [
            {
              code,
              path: [...path, 'thumbprint'],
              message: `tang[${index}].thumbprint is not a thumbprint of a key: it has ${thumbprint.length} characters, expected 43 of A-Z, a-z, 0-9, "-" and "_"`,
              hint: 'run `tang-show-keys PORT` on the server',
            } as const,
          ]),
    ];
  });
}

const urlHint = 'write the server, such as http://tang.example.com:7500';

/** The end of a sentence. Does not repeat the text, which may contain a password. */
function tangUrlFault(text: string): string | undefined {
  if (!URL.canParse(text) || /[\s"'\\]/.test(text)) return 'is not a URL';
  const { protocol, username, password, hostname } = new URL(text);
  if (protocol !== 'http:' && protocol !== 'https:') return 'must start with http:// or https://';
  if (username !== '' || password !== '') return 'contains a user';
  if (/[?#]/.test(text)) return 'contains a query or a fragment';
  if (hostname === '') return 'has no host';
  return goUrlFault(text);
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

/** In base64url, without padding: SHA-256 or SHA-1. Source: latchset/clevis src/pins/tang, CLEVIS_DEFAULT_THP_LEN */
function isThumbprint(text: string): boolean {
  return /^(?:[\w-]{43}|[\w-]{27})$/.test(text);
}

function httpsWarning(url: string, path: Finding['path']): readonly Finding[] {
  if (!/^https:/i.test(url)) return [];
  return [
    {
      code: 'config/tang-tls',
      path,
      message:
        'the initramfs verifies the certificate with the CAs of the CoreOS image; it has no CA of yours, nor additionalTrustBundle',
      hint: 'use http, unless a public CA issued the certificate: the Tang protocol does not need TLS',
    },
  ];
}

type EncryptedNode = Pick<SnoConfig, 'diskEncryption' | 'hostname' | 'network'>;

/**
 * Reports Tang servers that the initramfs cannot reach: it knows only the kernel arguments, and without `ip=` it uses DHCP on Ethernet
 * interfaces. The first boot has the profiles of the live system. Keyfiles are not looked into.
 * Sources: dracut.cmdline(7), NetworkManager nm-initrd-generator(8)
 */
export function tangNetworkFindings(
  { diskEncryption, network, hostname }: EncryptedNode,
  kernelArguments: readonly string[],
): readonly Finding[] {
  if (network === undefined || (diskEncryption?.tang ?? []).length === 0) return [];
  if ((network.keyfiles ?? []).length > 0 || kernelArguments.some((each) => each.startsWith('ip=')))
    return [];
  const interfaces = presentInterfaces(network);
  if (interfaces.length === 0 || interfaces.some(usesDhcp)) return [];
  return [
    {
      code: 'config/tang-network',
      path: ['diskEncryption', 'tang'],
      target: 'key',
      message:
        'no Ethernet interface of network has DHCP, and no kernel argument configures the initramfs: the node cannot reach Tang servers when it boots',
      hint: `add ${exampleArguments(network, hostname)} to kernelArguments, or ip=dhcp if DHCP answers there`,
      with: [['network']],
    },
  ];
}

function usesDhcp({ type = 'ethernet', ipv4, ipv6 }: InterfaceDescription): boolean {
  return type === 'ethernet' && [ipv4, ipv6].some((ip) => ip?.enabled === true && isAutomatic(ip));
}

/** The arguments for a single Ethernet interface with an IPv4 address and a gateway; otherwise their form. */
function exampleArguments(network: NetworkDescription, hostname = ''): string {
  const form = 'ip=ADDRESS::GATEWAY:PREFIX:HOST:INTERFACE:none';
  const [only, ...others] = presentInterfaces(network).filter(({ ipv4 }) => (ipv4?.address ?? []).length > 0);
  const [address] = only?.ipv4?.address ?? [];
  const gateway = (network.routes?.config ?? []).find(({ destination }) => destination === '0.0.0.0/0');
  const { name, type = 'ethernet', identifier } = only ?? {};
  const isPlain = others.length === 0 && type === 'ethernet' && identifier !== 'mac-address';
  const [ip, hop] = [address?.ip, gateway?.['next-hop-address']].map(canonical);
  if (!isPlain || name === undefined || ip === undefined || hop === undefined)
    return `an argument such as ${form}`;
  const servers = (network['dns-resolver']?.config?.server ?? []).map((each) => `nameserver=${each}`);
  const words = [`ip=${ip}::${hop}:${address?.['prefix-length'] ?? ''}:${hostname}:${name}:none`, ...servers];
  return words.map(quoted).join(' and ');
}

function canonical(text: string | undefined): string | undefined {
  const address = parseAddress(text ?? '');
  return address && formatAddress(address);
}
