import type { OutputFile } from '../../core/output-file.js';
import { parseJson } from '../../formats/json.js';
import { textAt } from '../../kube/fields.js';
import type { Difference } from '../../review/diff/difference.js';
import { mapTexts } from '../grouped-differences.js';

/**
 * What each site has of its own because it was drawn for it, or is the time at which it was made, as trees and texts show it. Otherwise
 * no two sites would have one difference.
 */
const drawn: readonly (readonly [RegExp, string])[] = [
  // Times of certificates, in each form in which they stand on the node.
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '<time>'],
  [/\b\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, '<time>'],
  [/(?<=\bSNO_NOT_(?:BEFORE|AFTER)=')\d+/g, '<time>'],
  // The first digits of a public key's hash, behind its kind.
  [/(?<=\b(?:rsa-\d+|ec-[\w-]+|ed25519) )[0-9a-f]{8}\b/g, '<key>'],
  [/(?<=\b(?:ssh-(?:rsa|ed25519)|ecdsa-sha2-\S+) )[A-Za-z0-9+/]{40,}={0,2}/g, '<key>'],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<id>'],
];

/** The id that the outputs of a site give its infrastructure; empty where they give none. */
export function infrastructureOf(files: readonly OutputFile[]): string {
  const metadata = files.find(({ path }) => path === 'metadata.json');
  const text = Buffer.from(metadata?.contents ?? '').toString('utf8');
  return textAt(parseJson(text), ['infraID']) ?? '';
}

/** A difference in which what was drawn stands as what it is, so that sites can have it in common; `infrastructures` are ids of the site. */
export function withoutDraws(difference: Difference, infrastructures: readonly string[]): Difference {
  const ids = infrastructures.filter((id) => id !== '');
  return mapTexts(difference, (text) => {
    const named = ids.reduce((shown, id) => shown.replaceAll(id, '<infrastructure>'), text);
    return drawn.reduce((shown, [pattern, name]) => shown.replace(pattern, name), named);
  });
}
