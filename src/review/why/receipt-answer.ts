import { byCodeUnit } from '../../core/compare.js';
import { parentsFirst } from '../../graph/engine.js';
import { receiptName, signatureSuffix } from '../receipt/receipt.js';
import type { Subject } from './subjects.js';
import type { Trace, Traced } from './trace.js';

/** Whether a question means the receipt of the outputs, or its signature. */
export function isReceiptName(question: string): boolean {
  return question === receiptName || question === `${receiptName}${signatureSuffix}`;
}

/** Why the receipt says what it says: no asset makes it, and it names everything that any of them took from a file. */
export function receiptAnswer(
  question: string,
  { roots, watch }: Pick<Traced, 'roots' | 'watch'>,
): { readonly subject: Subject; readonly trace: Trace } {
  const asset = 'receipt';
  const origins = parentsFirst(roots).map((each) => watch.originsOf(each));
  const all = (of: 'files' | 'environment'): readonly string[] =>
    [...new Set(origins.flatMap((each) => [...each[of]]))].toSorted(byCodeUnit);
  const origin = { asset, fields: [], files: all('files'), draws: [], environment: all('environment') };
  return {
    subject: { output: question, names: [question], bytes: Buffer.alloc(0) },
    trace: { asset, way: [asset], loops: [], origins: [origin] },
  };
}
