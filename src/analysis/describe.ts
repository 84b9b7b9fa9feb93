import type { Analysis } from './analyze.js';
import type { FoundFault } from './recognise.js';
import { redactedLine, shownLine } from './redact.js';
import type { Trouble } from './trouble.js';

/** A fault in the output of `analyze`. */
export interface FaultReport {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  readonly line: string;
  readonly time?: string;
  readonly cause: string;
  readonly fix: string;
}

/** A stage in the output of `analyze`. */
export interface StageReport {
  readonly service: string;
  readonly stage?: string;
  readonly state: Trouble['kind'];
  readonly since?: string;
  readonly lastAt?: string;
  readonly failures: number;
  /** Line, function and script of the first error. */
  readonly place?: string;
  readonly lastError?: string;
  readonly lastLines: readonly string[];
}

/** An analysis as plain data; every line of the bundle is redacted. */
export interface AnalysisReport extends Omit<Analysis, 'at' | 'others' | 'faults' | 'notes'> {
  readonly at?: StageReport;
  readonly others: readonly StageReport[];
  readonly faults: readonly FaultReport[];
  readonly notes: readonly FaultReport[];
}

/** Redacts secrets and control characters of an analysis for output. */
export function describeAnalysis(analysis: Analysis): AnalysisReport {
  return {
    verdict: analysis.verdict,
    phase: analysis.phase,
    createdBy: analysis.createdBy,
    ...(analysis.at && { at: stageReport(analysis.at) }),
    others: analysis.others.map(stageReport),
    faults: analysis.faults.map(faultReport),
    notes: analysis.notes.map(faultReport),
    failedUnits: analysis.failedUnits.map(shownLine),
    readNext: analysis.readNext.map(shownLine),
    bundleNotes: analysis.bundleNotes.map(shownLine),
  };
}

const shownLines = 3;
const tellsNothing = /^(stage \S+$|still waiting for |waiting for |Started |Starting )/;

function stageReport({ service, stage, kind, since, lastAt, failures, place, lines }: Trouble): StageReport {
  const texts = lines.map(({ text }) => shownLine(text)).filter((text) => text.trim() !== '');
  const error = kind === 'failed' ? texts.findLast((text) => !tellsNothing.test(text)) : undefined;
  return {
    service: shownLine(service),
    ...(stage !== undefined && { stage: shownLine(stage) }),
    state: kind,
    ...(since !== undefined && { since: shownLine(since) }),
    ...(lastAt !== undefined && { lastAt: shownLine(lastAt) }),
    failures,
    ...(place !== undefined && { place: shownLine(place) }),
    ...(error !== undefined && { lastError: error }),
    lastLines: texts.slice(-shownLines),
  };
}

function faultReport({ fault, unit, line, end }: FoundFault): FaultReport {
  return {
    id: fault.id,
    title: fault.title,
    unit,
    line: shownLine(line.text, end),
    ...(line.time !== undefined && { time: shownLine(line.time) }),
    cause: fault.cause,
    fix: withImage(fault.fix, redactedLine(line.text)).replaceAll(/\bSERVICE\b/g, shownLine(unit)),
  };
}

/** Fills in the image of the line: `pulling IMAGE`, `docker://IMAGE` or a quoted image of the kubelet. */
function withImage(fix: string, line: string): string {
  const [, image] =
    /(?:pulling (?:image )?|docker:\/\/|image \\?")([\w.-]+(?::\d+)?\/[\w./-]+(?:[:@][\w.:-]*\w)?)/i.exec(
      line,
    ) ?? [];
  return image === undefined ? fix : fix.replaceAll(/\bIMAGE\b/g, () => image);
}
