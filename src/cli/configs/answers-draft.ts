import { dirname, join } from 'node:path';

import { isRecord } from '../../core/is-record.js';
import { printable } from '../../core/printable.js';
import { mayBeSecret } from '../../core/secrets.js';
import { removeFile } from '../../disk/file-systems/rename-over.js';
import { createRecordFolder } from '../../disk/record-file.js';
import { readOwnFile } from '../../disk/regular-file.js';
import { replaceFile } from '../../disk/replace-file.js';
import { parseJson } from '../../formats/json.js';

/** Answers of an interrupted run, as they were typed, by option. Pasted secrets are not kept; paths of secrets are. */
export interface AnswersDraft {
  readonly path: string;
  readonly answerOf: (option: string) => string | undefined;
  /** Keeps an answer, or removes it if it may be a secret. */
  readonly keep: (option: string, answer: string) => void;
  readonly forget: (option: string) => void;
  /** Whether a draft with answers is on the disk. */
  readonly isKept: () => boolean;
  readonly remove: () => void;
}

/** Opens the draft of a config file in a directory. A draft that cannot be read or written is ignored: it only saves typing. */
export function openDraft(dir: string, file: string): AnswersDraft {
  const path = join(dir, `.${file}.draft.json`);
  const answers = readAnswers(path);
  let isKept = answers.size > 0;
  const write = (): void => {
    const text = `${JSON.stringify(Object.fromEntries(answers), null, 2)}\n`;
    isKept = createRecordFolder(dirname(path)).ok && replaceFile(path, text).ok && answers.size > 0;
  };
  const forget = (option: string): void => {
    if (answers.delete(option)) write();
  };
  return {
    path,
    answerOf: (option) => answers.get(option),
    keep: (option, answer) => {
      if (answer.startsWith('{') || mayBeSecret(answer)) {
        forget(option);
        return;
      }
      answers.set(option, answer);
      write();
    },
    forget,
    isKept: () => isKept,
    remove: () => {
      if (answers.size > 0 || isKept) removeFile(path);
    },
  };
}

/** Larger than all answers. */
const maxBytes = 64 * 1024;

/** Answers with control characters could change the terminal. */
function readAnswers(path: string): Map<string, string> {
  const read = readOwnFile(path, maxBytes);
  const data = read.kind === 'file' ? parseJson(read.bytes.toString('utf8')) : undefined;
  return new Map(
    Object.entries(isRecord(data) ? data : {}).flatMap(([option, answer]) =>
      typeof answer === 'string' && answer !== '' && printable(answer) === answer ? [[option, answer]] : [],
    ),
  );
}
