import { programVersion } from '../../core/program-version.js';
import { phaseNames } from '../page/site-phase.js';
import type { SiteRow } from '../page/site-row.js';
import { currentWave, rolloutStates, sitesByState, type RolloutStatus } from '../rollouts/rollout-status.js';
import { histogramSamples, type Metric, type Sample } from './metric-text.js';
import type { CountsSoFar } from './server-counts.js';

export interface MetricSources {
  readonly rows: readonly SiteRow[];
  /** At most one for each operation. */
  readonly rollouts: readonly RolloutStatus[];
  readonly counts: CountsSoFar;
}

/** The only label with a value for each site is `site` of the certificate expiry: 3,000 sites have 3,000 series. */
export function serverMetrics({ rows, rollouts, counts }: MetricSources): readonly Metric[] {
  return [
    {
      name: 'sno_install_build',
      type: 'info',
      help: 'Version of the server.',
      samples: [{ suffix: '_info', labels: { version: programVersion }, value: 1 }],
    },
    { name: 'sno_install_sites', type: 'gauge', help: 'Sites by phase.', samples: sitesByPhase(rows) },
    ...rolloutMetrics(rollouts),
    {
      name: 'sno_install_certificate_expiry_timestamp_seconds',
      type: 'gauge',
      unit: 'seconds',
      help: 'Time until which the medium of a site can be booted, because its certificates expire.',
      samples: rows.flatMap(({ name, until }) =>
        until === undefined ? [] : [{ labels: { site: name }, value: Date.parse(until) / 1000 }],
      ),
    },
    ...countMetrics(counts),
  ];
}

function sitesByPhase(rows: readonly SiteRow[]): readonly Sample[] {
  const counts = new Map(phaseNames.map((phase) => [phase, 0]));
  for (const { phase } of rows) counts.set(phase, (counts.get(phase) ?? 0) + 1);
  return [...counts].map(([phase, value]) => ({ labels: { phase }, value }));
}

function rolloutMetrics(rollouts: readonly RolloutStatus[]): readonly Metric[] {
  const each = (samples: (rollout: RolloutStatus) => readonly Sample[]): readonly Sample[] =>
    rollouts.flatMap((rollout) =>
      samples(rollout).map((sample) => ({
        ...sample,
        labels: { operation: rollout.operation, ...sample.labels },
      })),
    );
  return [
    {
      name: 'sno_install_rollout_state',
      type: 'stateset',
      help: 'State of the last rollout.',
      samples: each(({ state }) =>
        rolloutStates.map((name) => ({
          labels: { sno_install_rollout_state: name },
          value: name === state ? 1 : 0,
        })),
      ),
    },
    {
      name: 'sno_install_rollout_sites',
      type: 'gauge',
      help: 'Sites of the last rollout by state.',
      samples: each((rollout) =>
        [...sitesByState(rollout)].map(([state, value]) => ({ labels: { state }, value })),
      ),
    },
    {
      name: 'sno_install_rollout_wave',
      type: 'gauge',
      help: 'Position of the current wave, from 1; the canary is a wave.',
      samples: each((rollout) => [{ value: currentWave(rollout) }]),
    },
    {
      name: 'sno_install_rollout_waves',
      type: 'gauge',
      help: 'Number of waves.',
      samples: each(({ waves }) => [{ value: waves.length }]),
    },
    {
      name: 'sno_install_rollout_site_duration_seconds',
      type: 'histogram',
      unit: 'seconds',
      help: 'Time from the start of a site to its end, of sites that are done.',
      samples: rollouts.flatMap((rollout) =>
        histogramSamples(durationsOf(rollout), durationBounds, { operation: rollout.operation }),
      ),
    },
  ];
}

/** In seconds: an installation takes 40 to 90 minutes, and a slow download or upgrade some hours. */
const durationBounds = [15, 30, 45, 60, 75, 90, 120, 180, 240, 360].map((minutes) => minutes * 60);

function durationsOf({ sites }: RolloutStatus): readonly number[] {
  return [...sites.values()].flatMap(({ state, startedAt, finishedAt }) => {
    if (state !== 'done' || startedAt === undefined || finishedAt === undefined) return [];
    const seconds = (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000;
    return seconds >= 0 ? [seconds] : [];
  });
}

function countMetrics({ responses, sentBytes, downloads, reports }: CountsSoFar): readonly Metric[] {
  const total = (value: number): readonly Sample[] => [{ suffix: '_total', value }];
  return [
    {
      name: 'sno_install_media_downloads',
      type: 'counter',
      help: 'Media that were downloaded completely, each once.',
      samples: total(downloads),
    },
    {
      name: 'sno_install_node_reports',
      type: 'counter',
      help: 'Reports received from nodes.',
      samples: total(reports),
    },
    {
      name: 'sno_install_http_responses',
      type: 'counter',
      help: 'HTTP responses by status.',
      samples: [...responses]
        .toSorted(([left], [right]) => left - right)
        .map(([code, value]) => ({ suffix: '_total', labels: { code: String(code) }, value })),
    },
    {
      name: 'sno_install_http_sent_bytes',
      type: 'counter',
      unit: 'bytes',
      help: 'Bytes sent, including headers.',
      samples: total(sentBytes),
    },
  ];
}
