import { faults } from './faults/all-faults.js';
import { earlierSigns } from './faults/earlier-signs.js';
import type { Fault } from './faults/fault.js';
import { findSign, type Sign } from './faults/signs.js';
import type { JournalLine } from './journal.js';

/** A fault with the line that matched. */
export interface FoundFault {
  readonly fault: Fault;
  /** The unit whose journal contains the line. */
  readonly unit: string;
  readonly line: JournalLine;
  /** Where the matching text ends in the line. */
  readonly end: number;
}

/** The lines to search. */
export interface Search {
  /** Undefined if the service failed outside of any stage. */
  readonly stage?: string;
  readonly service: string;
  readonly lines: readonly JournalLine[];
  readonly isRunning: boolean;
  readonly journalOf: (unit: string) => readonly JournalLine[];
  /** The lines of the last minutes of the stage. Default: all lines. */
  readonly recentOf?: (unit: string) => readonly JournalLine[];
}

/** The faults that match lines of a stage, most specific first; general ones only without others. */
export function faultsIn(search: Search): readonly FoundFault[] {
  const found = faults
    .filter((fault) => fault.weight === undefined && concerns(fault, search))
    .filter((fault) => !search.isRunning || (fault.isGeneral ?? fault.isNormalAtFirst) === undefined)
    .flatMap((fault) => findFault(fault, search));
  const telling = found.filter(({ fault }) => fault.isGeneral === undefined);
  return telling.length > 0 ? lastAttempt(onePerLine(telling), search.lines) : found.slice(0, 1);
}

/** Notes that match in the journals of these units. */
export function notesIn(
  units: readonly string[],
  journalOf: (unit: string) => readonly JournalLine[],
): readonly FoundFault[] {
  const notes = faults.filter(({ weight }) => weight === 'note');
  return notes.flatMap((fault) =>
    units
      .flatMap((service) =>
        findFault(fault, { service, lines: journalOf(service), isRunning: false, journalOf }),
      )
      .slice(0, 1),
  );
}

/** A line counts for one fault only. */
function onePerLine(found: readonly FoundFault[]): readonly FoundFault[] {
  return found.filter(({ line }, at) => found.findIndex((other) => other.line === line) === at);
}

function lastAttempt(found: readonly FoundFault[], lines: readonly JournalLine[]): readonly FoundFault[] {
  const attempts = found.filter(({ fault }) => fault.isOfLastAttempt);
  const last = attempts.toSorted((left, right) => lines.indexOf(right.line) - lines.indexOf(left.line))[0];
  return found.filter((each) => !attempts.includes(each) || each === last);
}

function findFault(
  fault: Fault,
  { service, lines, journalOf, recentOf = journalOf }: Search,
): readonly FoundFault[] {
  const look = (sign: Sign): readonly FoundFault[] => {
    const ofUnit = sign.isRecent ? recentOf : journalOf;
    const found = findSign(sign, sign.unit === undefined ? lines : ofUnit(sign.unit));
    return found === undefined ? [] : [{ fault, unit: sign.unit ?? service, ...found }];
  };
  return [...fault.signs, ...(earlierSigns[fault.id] ?? [])].flatMap(look).slice(0, 1);
}

function concerns(fault: Fault, { stage, service }: Search): boolean {
  if (fault.service !== undefined && fault.service !== service) return false;
  if (fault.stages === 'any') return true;
  const stages: readonly string[] = fault.stages;
  return stage !== undefined && stages.includes(stage);
}
