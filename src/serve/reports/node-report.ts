import { flow } from '../../analysis/stages.js';
import { listAt, textAt } from '../../kube/fields.js';

/** The installation progress that a node reports. */
export interface NodeReport {
  /** The sender: the live system or the installed node. */
  readonly system: 'live' | 'node';
  /** Whether the cluster is complete and its post-install manifests are applied; the installed node reports it at the end. */
  readonly isComplete: boolean;
  /** The newest stages, oldest first; empty right after boot. */
  readonly stages: readonly ReportedStage[];
}

/** An event of a service, or of one of its stages. */
interface ReportedStage {
  readonly service: string;
  readonly stage?: string;
  readonly event: 'started' | 'finished' | 'failed';
  /** RFC 3339, by the clock of the node. */
  readonly at: string;
}

/** The node's own records contain all stages. */
const keptStages = 8;

/** Limits for clock errors of newly built nodes. */
const dayMs = 24 * 60 * 60 * 1000;
const [longestAgoMs, furthestAheadMs] = [30 * dayMs, dayMs];

/**
 * Parses a report. Keeps only services and stages that the scripts of a node have, with plausible times. Returns undefined if the
 * body is not a report.
 */
export function parseReport(body: unknown, now: Date): NodeReport | undefined {
  const system = textAt(body, ['system']);
  if (system !== 'live' && system !== 'node') return undefined;
  const stages = listAt(body, ['stages']).flatMap((entry) => stageOf(entry, system, now));
  const isComplete = system === 'node' && typeof body === 'object' && body !== null && has(body, 'complete');
  return { system, isComplete, stages: stages.slice(-keptStages) };
}

function has(body: object, member: string): boolean {
  return Object.entries(body).some(([name, value]) => name === member && value === true);
}

function stageOf(entry: unknown, system: NodeReport['system'], now: Date): readonly ReportedStage[] {
  const [service, stage, phase, at] = ['service', 'stage', 'phase', 'at'].map((name) =>
    textAt(entry, [name]),
  );
  const known = flow.find((each) => each.phase === system && each.service === service);
  if (known === undefined || (stage !== undefined && !known.stages.some((name) => name === stage))) return [];
  const age = now.getTime() - Date.parse(at ?? '');
  const isTime = at !== undefined && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(at);
  if (!isTime || !(age <= longestAgoMs && -age <= furthestAheadMs)) return [];
  const event = cameTo(phase, textAt(entry, ['result']));
  return event === undefined
    ? []
    : [{ service: known.service, ...(stage !== undefined && { stage }), event, at }];
}

/** Source of the phases: templates/live/usr/local/bin/bootstrap-service-record.sh */
function cameTo(phase: string | undefined, result: string | undefined): ReportedStage['event'] | undefined {
  if (phase === 'service start' || phase === 'stage start') return 'started';
  if (phase !== 'service end' && phase !== 'stage end') return undefined;
  return result === 'failure' ? 'failed' : 'finished';
}

/** Whether the cluster is complete, and its post-install manifests are being applied. */
export function isPostInstall({ stages }: NodeReport): boolean {
  return stages.some(({ service, stage }) => service === 'sno-post-install' && stage === 'apply-objects');
}

/** Whether the last event is a failure of a stage that is not optional. */
export function isFailing({ system, stages }: NodeReport): boolean {
  const last = stages.at(-1);
  if (last?.event !== 'failed') return false;
  const known = flow.find((each) => each.phase === system && each.service === last.service);
  const optional: readonly string[] =
    known !== undefined && 'optionalStages' in known ? known.optionalStages : [];
  return last.stage === undefined || !optional.includes(last.stage);
}
