import { readCertificateBundle } from '../../../formats/keys/certificate-bundle.js';
import { parseSshKey, sshKeyLines } from '../../../formats/keys/ssh-key.js';
import type { Finding } from '../../schema/rule.js';
import type { InstallRule, InstallSubject } from './install-subject.js';

/** Rules on SSH keys and trusted CAs. */
export const accessRules: readonly InstallRule[] = [
  {
    number: 16,
    fields: ['sshKey'],
    text: 'Each line of sshKey is a complete SSH public key, and its data matches its type.',
    origin: 'openshift-install',
    check: sshKeys,
  },
  {
    number: 17,
    fields: ['sshKey', 'fips'],
    text: 'With fips, the first sshKey is of type ssh-rsa or ecdsa-sha2-nistp256, 384 or 521.',
    origin: 'openshift-install',
    check: fipsKey,
  },
  {
    number: 18,
    fields: ['additionalTrustBundle'],
    text: 'additionalTrustBundle contains X.509 certificates in PEM; text around them is ignored, keys and other PEM blocks are rejected.',
    origin: 'openshift-install',
    check: trustBundle,
  },
  {
    number: 19,
    fields: ['additionalTrustBundle'],
    text: 'The certificates of additionalTrustBundle are CA certificates of X.509 version 3 (a warning).',
    origin: 'openshift-install',
    check: bundleOfAuthorities,
  },
];

function sshKeys({ input, referenced }: InstallSubject): readonly Finding[] {
  const lines = sshKeyLines(input.sshKey ?? '');
  // Every line of a private key is invalid; reporting the first one is enough.
  const secret = lines.find(({ text }) => text.includes('PRIVATE KEY'));
  return (secret ? [secret] : lines).flatMap(({ text, textLine }) => {
    const read = parseSshKey(text);
    if (read.ok) return [];
    const message = `line ${textLine + 1} of sshKey is not a public key: ${read.fault}`;
    return [
      {
        code: 'config/ssh-key' as const,
        path: ['sshKey'],
        target: { textLine },
        message,
        hint:
          referenced?.has('sshKey') === true
            ? 'use the .pub file next to the private key, such as id_ed25519.pub'
            : 'paste the line of a file such as ~/.ssh/id_ed25519.pub',
      },
    ];
  });
}

/** Source: openshift/installer pkg/types/validation validateFIPSconfig. */
const fipsKeyTypes: readonly string[] = [
  'ssh-rsa',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
];

function fipsKey({ config, input }: InstallSubject): readonly Finding[] {
  const [first] = sshKeyLines(input.sshKey ?? '');
  const read = first && parseSshKey(first.text);
  if (!config.fips || !first || !read?.ok || fipsKeyTypes.includes(read.key.type)) return [];
  const message = `with fips the first sshKey must be RSA or ECDSA, not ${read.key.type}`;
  return [
    {
      code: 'config/ssh-key',
      path: ['sshKey'],
      target: { textLine: first.textLine },
      message,
      hint: 'create one with "ssh-keygen -t ecdsa -b 521"',
    },
  ];
}

const bundlePath = ['additionalTrustBundle'];

function trustBundle({ input }: InstallSubject): readonly Finding[] {
  const text = input.additionalTrustBundle ?? '';
  if (text.trim() === '') return [];
  const { faults } = readCertificateBundle(text);
  return faults.slice(0, 5).map(({ textLine, fault }) => ({
    code: 'config/trust-bundle',
    path: bundlePath,
    target: { textLine },
    message: `additionalTrustBundle cannot be read at its line ${textLine + 1}: ${fault}`,
    hint: text.includes('\n', text.indexOf('-----BEGIN'))
      ? 'paste the whole PEM certificate, with the base64 lines between BEGIN and END'
      : 'write it below "additionalTrustBundle: |", each line indented',
  }));
}

function bundleOfAuthorities({ input }: InstallSubject): readonly Finding[] {
  const { certificates } = readCertificateBundle(input.additionalTrustBundle ?? '');
  return certificates.flatMap(({ textLine, isCa, version }, index) => {
    const which = `certificate ${index + 1} of additionalTrustBundle`;
    const place = { code: 'config/trust-bundle-not-ca' as const, path: bundlePath, target: { textLine } };
    if (version < 3)
      return [
        {
          ...place,
          message: `${which} has X.509 version ${version}, which Go programs do not accept for an authority`,
        },
      ];
    return isCa ? [] : [{ ...place, message: `${which} is not a CA certificate` }];
  });
}
