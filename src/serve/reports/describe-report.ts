import type { NodeReport } from './node-report.js';

/** Describes the last report of a node, for example `bootkube wait-for-etcd failed`. */
export function describeReport({ system, isComplete, stages }: NodeReport): string {
  if (isComplete) return 'the cluster is complete';
  const last = stages.at(-1);
  if (last === undefined)
    return system === 'live' ? 'the live system is running' : 'the installed node is running';
  return [last.service, ...(last.stage === undefined ? [] : [last.stage]), last.event].join(' ');
}
