import { readFileSync } from 'node:fs';

import { servicesOf, type Phase } from '../../src/analysis/stages.js';

/** Stages of bootkube.service on the live system that write a marker, in order. */
export const bootkubeStages = markedStages('live', 'bootkube');

/** Stages of install-to-disk.service that write a marker, in order. */
export const diskStages = markedStages('live', 'install-to-disk');

/** Stages of the installed node that write a marker: sno-etcd-restore.service, then bootkube.service. */
export const nodeStages = [...markedStages('node', 'sno-etcd-restore'), ...markedStages('node', 'bootkube')];

/** The stages of a service, without those that its scripts run every time. */
function markedStages(phase: Phase, name: string): readonly string[] {
  const services = servicesOf(phase).filter(({ service }) => service === name);
  const texts = services.flatMap(({ scripts }) => scripts).map(scriptText);
  return services
    .flatMap(({ stages }) => stages)
    .filter((stage) => !texts.some((text) => isRunAlways(text, stage)));
}

function isRunAlways(text: string, stage: string): boolean {
  return new RegExp(`\\brun_always ${stage} `).test(text);
}

function scriptText(path: string): string {
  return readFileSync(`templates/live/${path}`, 'utf8');
}
