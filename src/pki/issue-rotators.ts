import type { KeyAlgorithm } from '../config/schema/sno-config-schema.js';
import type { ValueSource } from '../graph/context.js';
import type { CertifiedKey, Issuer } from './certified-key.js';
import type { HostnameFacts } from './hostnames.js';
import { signerCatalog, type SignerEntry } from './installer-catalog.js';
import { issuePair } from './issue-pair.js';
import {
  isSignerName,
  isTargetName,
  targetRotators,
  type RotatorName,
  type TargetRotator,
} from './rotators.js';
import { type SignerRotatorName, signerRotators, type SignerRotator } from './signer-rotators.js';

/** Pairs to issue, their names and their validity. */
export interface IssueOptions {
  readonly facts: HostnameFacts;
  /** Pairs to issue; a signer must be in `wanted` or `given`. */
  readonly wanted: readonly RotatorName[];
  /** Existing pairs, including signers. */
  readonly given: Pairs;
  /** Prefix of the labels of generated keys. */
  readonly labelPrefix: string;
  readonly keyAlgorithm: KeyAlgorithm;
  /** Key algorithm of CAs; `keyAlgorithm` if absent. */
  readonly signerAlgorithm?: KeyAlgorithm;
  readonly notBefore: Date;
  /** Common names of CAs; if absent, the names that the operators use, which contain the time of issue. */
  readonly authorityName?: (rotator: string) => string;
  /** The issuer of a signer that would otherwise be self-signed. */
  readonly above?: (signer: SignerRotatorName) => Issuer | undefined;
  readonly notAfter: (rotator: SignerRotator | TargetRotator, kind: 'signer' | 'target') => Date;
}

type Pairs = Readonly<Partial<Record<RotatorName, CertifiedKey>>>;

/** Returns the wanted and the given pairs. CAs are issued before the certificates they sign; independent pairs concurrently. */
export async function issueRotators(settings: IssueOptions, valueSource: ValueSource): Promise<Pairs> {
  const { given } = settings;
  const missing = settings.wanted.filter((name) => given[name] === undefined);
  const authorities = missing.filter(isSignerName);
  const issueAuthority = (signers: Pairs) => (name: SignerRotatorName) =>
    issueSigner(name, signerRotators[name], { settings, valueSource, signers });
  const roots = await issueEach(authorities.filter(isRoot), issueAuthority(given));
  const below = await issueEach(
    authorities.filter((name) => !isRoot(name)),
    issueAuthority({ ...roots, ...given }),
  );
  const signers = { ...roots, ...below, ...given };
  const targets = await issueEach(missing.filter(isTargetName), (name) =>
    issueTarget(name, targetRotators[name], { settings, valueSource, signers }),
  );
  return { ...signers, ...targets };
}

async function issueEach<Name extends RotatorName>(
  names: readonly Name[],
  issue: (name: Name) => Promise<CertifiedKey>,
): Promise<Pairs> {
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await issue(name)] as const)));
}

function isRoot(name: SignerRotatorName): boolean {
  const rotator: SignerRotator = signerRotators[name];
  return rotator.signer === undefined;
}

interface IssueContext {
  readonly settings: IssueOptions;
  readonly valueSource: ValueSource;
  readonly signers: Pairs;
}

function issueSigner(
  name: SignerRotatorName,
  rotator: SignerRotator,
  issuing: IssueContext,
): Promise<CertifiedKey> {
  const { settings, valueSource, signers } = issuing;
  const above = settings.above?.(name);
  const signer = rotator.signer === undefined ? undefined : signerOf(rotator.signer, signers);
  const unixTime = Math.trunc(settings.notBefore.getTime() / 1000);
  return issuePair(
    {
      label: `${settings.labelPrefix}${name}`,
      subject: {
        commonName: settings.authorityName?.(name) ?? rotator.commonName(rotator.secret.name, unixTime),
      },
      ...(signer && { signer, appendsSigner: true }),
      ...(!signer && above && { signer: above, isOfServers: signsServers(rotator) }),
      notBefore: settings.notBefore,
      notAfter: settings.notAfter(rotator, 'signer'),
      isCa: true,
    },
    { keyAlgorithm: settings.signerAlgorithm ?? settings.keyAlgorithm, valueSource },
  );
}

function signsServers({ installers }: SignerRotator): boolean {
  const entry: SignerEntry | undefined = installers && signerCatalog[installers];
  return entry?.isOfServers === true;
}

function issueTarget(name: string, rotator: TargetRotator, issuing: IssueContext): Promise<CertifiedKey> {
  const { settings, valueSource, signers } = issuing;
  const { subject } = rotator;
  return issuePair(
    {
      label: `${settings.labelPrefix}${name}`,
      subject: typeof subject === 'function' ? subject(settings.facts) : subject,
      signer: signerOf(rotator.signer, signers),
      notBefore: settings.notBefore,
      notAfter: settings.notAfter(rotator, 'target'),
      usages: rotator.usages,
      hostnames: rotator.hostnames?.(settings.facts) ?? [],
      // As in library-go for server certificates: a client whose bundle contains another root of the same name can still verify.
      appendsSigner: rotator.usages.some((usage) => usage === 'serverAuth'),
    },
    { keyAlgorithm: settings.keyAlgorithm, valueSource },
  );
}

function signerOf(name: SignerRotatorName, signers: Pairs): CertifiedKey {
  const signer = signers[name];
  if (signer === undefined) throw new Error(`internal error: ${name} signs and is neither given nor wanted`);
  return signer;
}
