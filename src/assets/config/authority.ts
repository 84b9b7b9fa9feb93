import { clusterDomain } from '../../config/cluster-domain.js';
import type { InstallReading } from '../../config/reading/install-config.js';
import { parseReference, readReferencedText } from '../../config/reading/referenced-texts.js';
import type { SnoReading } from '../../config/reading/sno-config.js';
import { problem, type Place, type Problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { placeholderEcSignature } from '../../formats/keys/placeholder-key.js';
import type { PrivateKey } from '../../formats/keys/private-key.js';
import { defineAsset } from '../../graph/asset.js';
import type { Inputs } from '../../graph/context.js';
import { chainFaults } from '../../pki/authority/chain-faults.js';
import { issuerOf, readAuthorityKey, readChain } from '../../pki/authority/read-authority.js';
import type { UserAuthority } from '../../pki/authority/user-authority.js';
import type { NameFacts } from '../../pki/installer-catalog.js';
import { addSeconds } from '../../pki/validity.js';
import { installReading } from './install-reading.js';
import { snoReading } from './sno-config.js';

/**
 * The CA of `certificates.authority` in sno-config.yaml, validated before it signs anything; undefined if not set. Checked even if
 * the rest of the config has errors. Problems: config/reference, config/authority.
 */
export const authority = defineAsset({
  name: 'config/authority',
  needs: { reading: snoReading, install: installReading },
  tryMake: ({ reading, install }, context): Result<UserAuthority | undefined> => {
    const { authority: given, validitySeconds } = reading.config.certificates;
    if (given === undefined || !reading.isSound('certificates.authority')) return success(undefined);
    const { inputs, now, isDryRun } = context;
    const texts = {
      certificate: textOf('certificate', reading, inputs),
      key: textOf('key', reading, inputs),
    };
    const { chain, faults } = readChain(texts.certificate.text);
    const key = readAuthorityKey(texts.key.text);
    const names = namesIn(install);
    const use = {
      signers: given.signs,
      from: now,
      until: addSeconds(now, reading.isSound('certificates.validity') ? validitySeconds : 0),
      ...(names && { names }),
    };
    const [own] = chain;
    const isOther = own !== undefined && 'key' in key && !own.facts.x509.checkPrivateKey(key.object);
    const certificateFault = faultAt(texts.certificate);
    const keyFault = faultAt(texts.key);
    const problems = [
      ...texts.certificate.problems,
      ...texts.key.problems,
      ...(given.signs.length === 0 ? [nothingToSign(reading)] : []),
      ...faults.flatMap(({ textLine, fault }) => certificateFault(`cannot be read: ${fault}`, { textLine })),
      ...chainFaults(
        chain.map(({ facts }) => facts),
        use,
      ).flatMap(({ index, fault, hint }) =>
        certificateFault(`certificate ${index + 1} ${fault}`, { textLine: chain[index]?.textLine, hint }),
      ),
      ...('fault' in key ? keyFault(key.fault) : []),
      ...(isOther
        ? keyFault('does not belong to the first certificate of certificates.authority.certificate')
        : []),
    ];
    if (problems.length > 0 || 'fault' in key) return failure(...problems);
    const privateKey = isDryRun === true ? withPlaceholderSignatures(key.key) : key.key;
    return success({ issuer: issuerOf(chain, privateKey), signs: given.signs });
  },
});

/** The contents that a reference refers to; empty, with a problem, if unreadable. */
interface NamedText {
  readonly field: string;
  readonly text: string;
  readonly at: Place;
  readonly file?: string;
  readonly problems: readonly Problem[];
}

function textOf(name: 'certificate' | 'key', { config, placeOf }: SnoReading, inputs: Inputs): NamedText {
  const field = `certificates.authority.${name}`;
  const at = placeOf(['certificates', 'authority', name]);
  const place = parseReference(config.certificates.authority?.[name] ?? '');
  if (place === undefined) throw new Error(`internal error: ${field} was judged sound and is no reference`);
  const read = readReferencedText({ field, place }, inputs);
  if ('fault' in read)
    return {
      field,
      text: '',
      at,
      problems: [problem('config/reference', read.fault, { at, hint: read.hint })],
    };
  return { field, text: read.text, at, ...(place.kind === 'file' && { file: place.path }), problems: [] };
}

interface FaultDetails {
  /** From 0. */
  readonly textLine?: number | undefined;
  readonly hint?: string | undefined;
}

/** Problems at a line of the text, or at its reference; none for an unreadable text, which has its own problem. */
function faultAt({
  field,
  text,
  at,
  file,
}: NamedText): (fault: string, details?: FaultDetails) => readonly Problem[] {
  return (fault, { textLine = 0, hint } = {}) => {
    if (text === '') return [];
    const place = file === undefined ? at : { file, line: textLine + 1, col: 1 };
    return [problem('config/authority', `${field}: ${fault}`, { at: place, hint })];
  };
}

function nothingToSign({ placeOf }: SnoReading): Problem {
  return problem('config/authority', 'certificates.authority.signs is empty', {
    at: placeOf(['certificates', 'authority', 'signs']),
    hint: 'leave it out to have all of them signed',
  });
}

/** Undefined if install-config.yaml does not contain the names. */
function namesIn({ draft }: InstallReading): NameFacts | undefined {
  const fields = ['metadata.name', 'baseDomain', 'networking'];
  if (draft === undefined || !fields.every((field) => draft.isSound(field))) return undefined;
  return {
    domain: clusterDomain(draft.config),
    serviceNetwork: draft.config.networking.serviceNetwork,
  };
}

/** Replaces randomized signatures of the key by placeholders. */
function withPlaceholderSignatures(key: PrivateKey): PrivateKey {
  const { kind } = key;
  if (kind === 'RSA') return key;
  return {
    ...key,
    sign: (bytes) => Promise.resolve(placeholderEcSignature(Buffer.from(bytes).toString('base64'), kind)),
  };
}
