import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { realCoreosInstaller } from '../coreos-installer.js';
import type { LabOptions } from '../options.js';
import type { Phase } from '../phases.js';
import { journalOf } from './journal.js';
import { timelinePage } from './page.js';
import { stagesOf, systemServices } from './stages.js';
import { timelineText, type Timeline, type TimelinePhase } from './text.js';

/** Services shown in the timeline. */
const services = [
  ...systemServices,
  'sno-preflight',
  'release-image',
  'crio-configure',
  'sno-fetch-images',
  'bootkube',
  'install-to-disk',
  'sno-etcd-restore',
];

/** Writes timeline.txt and timeline.html of a run, and returns the text. */
export function writeTimeline(
  options: LabOptions,
  phases: Readonly<Record<string, Phase>>,
  outcome: string,
): string {
  const timeline: Timeline = {
    title: `Release 4.${options.minor}, control plane rendered by ${options.render === 'Release' ? 'the payload' : 'the installer'}`,
    parts: partsOf(),
    phases: Object.entries(phases).map(([title, phase]) => shownPhase(title, phase)),
    outcome,
  };
  const text = timelineText(timeline);
  mkdirSync(options.output, { recursive: true });
  writeFileSync(join(options.output, 'timeline.txt'), text);
  writeFileSync(join(options.output, 'timeline.html'), timelinePage(timeline));
  return text;
}

function shownPhase(title: string, phase: Phase): TimelinePhase {
  const stages = stagesOf(journalOf(phase.root, services)).map((stage) =>
    stage.result === 'open' ? { ...stage, endMs: phase.endMs } : stage,
  );
  // The machine starts shortly before the lab begins to follow it.
  const startMs = Math.min(phase.startMs, ...stages.map((stage) => stage.startMs));
  return { title, startMs, endMs: phase.endMs, stages, console: phase.console };
}

function partsOf(): readonly string[] {
  const installer =
    realCoreosInstaller() === undefined
      ? 'stand-in: coreos-installer (test/lab/build-coreos-installer builds the real one)'
      : 'real: coreos-installer 0.27';
  return [
    'real: Ignition, systemd, kubelet, etcd, kube-apiserver, kube-controller-manager, kube-scheduler, Butane, every script of ours',
    installer,
    'stand-in: the registries, the programs in the payload (with the flags of this release), machine-config server, operators',
    'stand-in: CRI-O (containerd), oc (kubectl), crictl (ctr), the disk (a loop device)',
  ];
}
