import { sha256 } from '../formats/sha256.js';
import { byCodeUnit } from '../core/compare.js';
import type { InputRead, Inputs } from '../graph/context.js';

/** What a run saw of the directory, by what it asked for; two equal records mean two runs with the same inputs. */
export type InputRecord = Readonly<Record<string, string>>;

export interface RecordedInputs {
  readonly inputs: Inputs;
  /** Everything asked for so far. */
  readonly record: () => InputRecord;
}

/** The same inputs, with a record of what is asked for. */
export function recordInputs(inputs: Inputs): RecordedInputs {
  const seen = new Map<string, string>();
  return {
    inputs: {
      ...inputs,
      read: (path) => {
        const read = inputs.read(path);
        seen.set(`read ${path}`, digestOfRead(read));
        return read;
      },
      list: (folder) => {
        const names = inputs.list(folder);
        seen.set(`list ${folder}`, digestOfList(names));
        return names;
      },
    },
    record: () => Object.fromEntries([...seen].sort(([left], [right]) => byCodeUnit(left, right))),
  };
}

/** Whether everything a run asked for is still as it was. */
export function isUnchanged(record: InputRecord, inputs: Inputs): boolean {
  return Object.entries(record).every(([question, digest]) => {
    const path = question.slice('read '.length);
    const now = question.startsWith('read ')
      ? digestOfRead(inputs.read(path))
      : digestOfList(inputs.list(path));
    return now === digest;
  });
}

function digestOfRead(read: InputRead): string {
  switch (read.kind) {
    case 'file':
      return sha256(read.bytes);
    case 'absent':
      return 'absent';
    case 'unreadable':
      return `unreadable: ${read.reason}`;
  }
}

function digestOfList(names: readonly string[] | undefined): string {
  return names === undefined ? 'absent' : sha256(names.join('\n'));
}
