import { printable } from '../../core/printable.js';
import type { CertificateFacts } from '../../review/certificates/certificate-facts.js';
import {
  placeText,
  type CertificateList,
  type CertificatePlace,
  type ListedCertificate,
} from '../../review/certificates/certificate-list.js';
import { remainingMs, remainingText } from '../../review/certificates/remaining-time.js';
import { count } from '../../run/problem-text.js';

/** Formats certificates as text, sorted by expiry. */
export function certsText({ certificates }: CertificateList, now: Date): string {
  const files = new Set(certificates.flatMap(({ places }) => places.map(({ file }) => file)));
  const [first] = certificates;
  if (first === undefined) return '';
  return [
    ...certificates.map((each) => `${linesOf(each, now).map(printable).join('\n')}\n`),
    `${count(certificates.length, 'certificate')} in ${count(files.size, 'file')}` +
      `; first expiry: ${first.facts.notAfter} (${remainingText(first, now)})`,
    '',
  ].join('\n');
}

function linesOf(listed: ListedCertificate, now: Date): readonly string[] {
  const { facts, signer, known, places, keyPlaces } = listed;
  const title = facts.subject === '' ? 'no subject' : facts.subject;
  return [
    `${facts.notAfter}  ${remainingText(listed, now)}  ${title}`,
    ...(known ? [`    ${known.name}: ${known.use}`] : []),
    `    signed by ${signerText(facts, signer)}`,
    `    ${[facts.isCa ? 'CA' : 'not a CA', keyText(facts), ...facts.purposes].join(', ')}`,
    ...(facts.names.length === 0 ? [] : [`    names ${facts.names.join(', ')}`]),
    ...placeLines('in', places),
    ...placeLines('key in', keyPlaces),
  ];
}

function signerText({ sha256, issuer }: CertificateFacts, signer: CertificateFacts | undefined): string {
  if (signer === undefined) return `${issuer === '' ? 'an unnamed issuer' : issuer} (not listed here)`;
  return signer.sha256 === sha256 ? 'itself' : `${signer.subject} (expires ${signer.notAfter})`;
}

function keyText({ key }: CertificateFacts): string {
  return key === undefined ? 'unknown key type' : `${key.type} ${key.sha256.slice(0, 8)}`;
}

function placeLines(word: string, places: readonly CertificatePlace[]): readonly string[] {
  return places.map((place) => `    ${word} ${placeText(place)}`);
}

/** Formats certificates for JSON output. */
export function certsData({ certificates }: CertificateList, now: Date): readonly object[] {
  return certificates.map((each) => {
    const { facts, signer, known, places, keyPlaces } = each;
    return {
      ...facts,
      secondsLeft: Math.floor(remainingMs(each, now) / 1000),
      ...(known && { name: known.name, use: known.use }),
      ...(signer && {
        signer: { subject: signer.subject, notAfter: signer.notAfter, sha256: signer.sha256 },
      }),
      locations: places.map(locationData),
      keyLocations: keyPlaces.map(locationData),
    };
  });
}

function locationData({ file, inside, field }: CertificatePlace): object {
  return {
    file,
    ...(inside !== undefined && { nodePath: inside }),
    ...(field !== undefined && { field }),
  };
}
