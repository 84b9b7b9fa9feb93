import type { Tree } from './review-tree.js';

/** A certificate that does not hold at a time, as a tree shows it. */
export interface EndedCertificate {
  /** The subject. */
  readonly subject: string;
  readonly ended: string;
  /** The first text of the tree that it stands in. */
  readonly path: string;
}

/** The certificates of a golden tree that came from the user and have ended at a time, each once; those made by stand-ins hold at none. */
export function endedCertificates(tree: Tree, present: Date): readonly EndedCertificate[] {
  const found = new Map<string, EndedCertificate>();
  for (const [path, text] of Object.entries(tree)) {
    for (const [facts, subject = '', ended = ''] of text.matchAll(certificateFacts)) {
      const isEnded = Date.parse(ended) < present.getTime() && !facts.includes('; key stand-in-');
      if (isEnded && !found.has(facts)) found.set(facts, { subject, ended, path });
    }
  }
  return [...found.values()];
}

const certificateFacts = /<certificate ([^;<>\n]*)[^<>\n]*; \S+Z to (\S+Z)[^<>\n]*>/g;
