import type { Stage } from './stages.js';

/** One machine of a run, from its boot to its end. */
export interface TimelinePhase {
  readonly title: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly stages: readonly Stage[];
  /** Texts shown on the console. */
  readonly console: readonly string[];
}

export interface Timeline {
  readonly title: string;
  /** Lists the real programs and the stubs of this run. */
  readonly parts: readonly string[];
  readonly phases: readonly TimelinePhase[];
  /** The result of the run in one line. */
  readonly outcome: string;
}

/** The timeline as text: start, duration and waits of each stage. */
export function timelineText({ title, phases, outcome, parts }: Timeline): string {
  return [title, outcome, '', ...parts.map((part) => `  ${part}`), ...phases.flatMap(phaseLines), ''].join(
    '\n',
  );
}

function phaseLines(phase: TimelinePhase): readonly string[] {
  const longest = longestStagesOf(phase);
  return [
    '',
    `${phase.title}: ${seconds(phase.endMs - phase.startMs)}`,
    ...(longest === '' ? [] : [`  longest: ${longest}`]),
    ...failedStagesOf(phase).map((text) => `  ${text}`),
    ...phase.stages.flatMap((stage) => stageLines(stage, phase.startMs)),
    ...phase.console.map((text) => `  console: ${text.replaceAll('\n', ' ')}`),
  ];
}

function stageLines(stage: Stage, origin: number): readonly string[] {
  const at = `+${seconds(stage.startMs - origin)}`.padStart(10);
  const took = seconds(stage.endMs - stage.startMs).padStart(9);
  const result = stage.result === 'done' ? '' : `  ${stage.result.toUpperCase()}`;
  return [
    `${at}${took}  ${stage.unit}: ${stage.name}${result}`,
    ...longWaits(stage).map(
      (wait) => `${' '.repeat(21)}waited ${seconds(wait.endMs - wait.startMs)} for ${wait.what}`,
    ),
  ];
}

/** The longest stages, without the one that waits for all the others. */
export function longestStagesOf({ stages }: TimelinePhase): string {
  return stages
    .filter(({ name, startMs, endMs }) => name !== 'wait-for-bootkube' && endMs - startMs >= 1000)
    .toSorted((a, b) => b.endMs - b.startMs - (a.endMs - a.startMs))
    .slice(0, 3)
    .map(({ unit, name, startMs, endMs }) => `${unit}: ${name} ${seconds(endMs - startMs)}`)
    .join(', ');
}

/** Each failed stage with its last log line. Repeated failures with the same line are listed once. */
export function failedStagesOf({ stages }: TimelinePhase): readonly string[] {
  const texts = stages.flatMap(({ unit, name, result, said }) =>
    result === 'done'
      ? []
      : [`${unit}: ${name} ${resultTexts[result]}${said === undefined ? '' : `: ${said}`}`],
  );
  return [...new Set(texts)];
}

const resultTexts = { failed: 'failed', killed: 'was killed', open: 'had not ended' };

/** Waits that are long enough to notice. */
export function longWaits(stage: Stage): Stage['waits'] {
  return stage.waits.filter(({ startMs, endMs }) => endMs - startMs >= 1000);
}

export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
