import type { InputRead } from '../../graph/context.js';
import { reasonOf } from '../system-error.js';
import { maxFileBytes, readUpTo, tooLarge } from '../regular-file.js';

/** stdin is never absent. */
export type StdinRead = Exclude<InputRead, { readonly kind: 'absent' }>;

/** Standard input of the process. Only one reader, an option or a field, can use it; it may read it repeatedly. */
export type Stdin = (reader: string) => StdinRead;

/** Reads the standard input at the first call. */
export function standardInput(): Stdin {
  let first: { readonly reader: string; readonly read: StdinRead } | undefined;
  return (reader) => {
    if (first !== undefined && first.reader !== reader)
      return { kind: 'unreadable', reason: `${first.reader} has already read it` };
    first ??= { reader, read: readStandardInput() };
    return first.read;
  };
}

/** For runs that must not read stdin. */
export const noStandardInput: Stdin = () => ({ kind: 'unreadable', reason: 'it is not read here' });

const stdinDescriptor = 0;

function readStandardInput(): StdinRead {
  try {
    const bytes = readUpTo(stdinDescriptor, maxFileBytes);
    return bytes === undefined
      ? { kind: 'unreadable', reason: tooLarge(maxFileBytes) }
      : { kind: 'file', bytes };
  } catch (error) {
    return { kind: 'unreadable', reason: reasonOf(error) };
  }
}
