import type { Tree } from './review-tree.js';

/** An expired certificate in a tree. */
export interface ExpiredCertificate {
  readonly subject: string;
  readonly notAfter: string;
  /** The first text of the tree that contains it. */
  readonly path: string;
}

/** Returns the expired user-provided certificates of a golden tree, each once. Certificates with placeholder keys are ignored. */
export function expiredCertificates(tree: Tree, present: Date): readonly ExpiredCertificate[] {
  const found = new Map<string, ExpiredCertificate>();
  for (const [path, text] of Object.entries(tree)) {
    for (const [facts, subject = '', notAfter = ''] of text.matchAll(certificateFacts)) {
      const isExpired = Date.parse(notAfter) < present.getTime() && !facts.includes('; key stand-in-');
      if (isExpired && !found.has(facts)) found.set(facts, { subject, notAfter, path });
    }
  }
  return [...found.values()];
}

const certificateFacts = /<certificate ([^;<>\n]*)[^<>\n]*; \S+Z to (\S+Z)[^<>\n]*>/g;
