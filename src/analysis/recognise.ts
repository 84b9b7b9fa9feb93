import { faults } from './faults/all-faults.js';
import type { Fault } from './faults/fault.js';
import { findSign, type Sign } from './faults/signs.js';
import type { JournalLine } from './journal.js';

/** A fault with the line that shows it. */
export interface FoundFault {
  readonly fault: Fault;
  /** The unit whose journal holds the line. */
  readonly unit: string;
  readonly line: JournalLine;
}

/** Where faults are looked for. */
export interface Search {
  /** Absent where the service failed outside of any stage. */
  readonly stage?: string;
  readonly service: string;
  readonly lines: readonly JournalLine[];
  readonly isRunning: boolean;
  readonly journalOf: (unit: string) => readonly JournalLine[];
}

/** The faults that the lines of a stage show, the more telling ones first; general ones only where there is no other. */
export function faultsIn(search: Search): readonly FoundFault[] {
  const found = faults
    .filter((fault) => fault.weight === undefined && concerns(fault, search))
    .filter((fault) => !search.isRunning || (fault.isGeneral ?? fault.isNormalAtFirst) === undefined)
    .flatMap((fault) => findFault(fault, search));
  const telling = found.filter(({ fault }) => fault.isGeneral === undefined);
  return telling.length > 0 ? onePerLine(telling) : found.slice(0, 1);
}

/** What is worth knowing though it stops nothing, in the journals of these units. */
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

/** A line that shows one fault is not taken for another one too. */
function onePerLine(found: readonly FoundFault[]): readonly FoundFault[] {
  return found.filter(({ line }, at) => found.findIndex((other) => other.line === line) === at);
}

function findFault(fault: Fault, { service, lines, journalOf }: Search): readonly FoundFault[] {
  const look = (sign: Sign): readonly FoundFault[] => {
    const line = findSign(sign, sign.unit === undefined ? lines : journalOf(sign.unit));
    return line === undefined ? [] : [{ fault, unit: sign.unit ?? service, line }];
  };
  return fault.signs.flatMap(look).slice(0, 1);
}

function concerns(fault: Fault, { stage, service }: Search): boolean {
  if (fault.service !== undefined && fault.service !== service) return false;
  if (fault.stages === 'any') return true;
  const stages: readonly string[] = fault.stages;
  return stage !== undefined && stages.includes(stage);
}
