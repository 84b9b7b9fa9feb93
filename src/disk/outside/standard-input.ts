import type { InputRead } from '../../graph/context.js';
import { reasonOf } from '../file-system-problem.js';
import { maxFileBytes, readUpTo, tooLarge } from '../regular-file.js';

/** What stdin holds, which is never absent. */
export type StdinRead = Exclude<InputRead, { readonly kind: 'absent' }>;

/** The standard input of the process, which one reader alone can have: an option, or a field. It may ask again. */
export type Stdin = (reader: string) => StdinRead;

/** The standard input, read by the first who asks for it. */
export function standardInput(): Stdin {
  let first: { readonly reader: string; readonly read: StdinRead } | undefined;
  return (reader) => {
    if (first !== undefined && first.reader !== reader)
      return { kind: 'unreadable', reason: `${first.reader} has read it` };
    first ??= { reader, read: readStandardInput() };
    return first.read;
  };
}

/** That of a run which is given none. */
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
