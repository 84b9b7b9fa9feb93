// Model of the pulls between the release image and the static pods of the control plane. It is deterministic: no program runs.
import { readFileSync } from 'node:fs';

import { table } from './markdown.mjs';

/** No published figures: `oc adm release info --size` prints the sizes of a release. */
export const assumed = {
  /** Compressed. */
  systemMegabytes: 1400,
  imageMegabytes: 195,
  /** Compressed MB that podman unpacks per second, after the transfer. */
  unpackRate: 100,
  /** Requests of a pull that wait for each other: version, token, manifest, config, layers. */
  requests: 5,
  /** Seconds. */
  checkout: 20,
  start: 60,
  stage: 8,
};

/** The assumptions as a sentence. */
export function assumptions() {
  const { systemMegabytes, imageMegabytes, unpackRate, requests, checkout, start, stage } = assumed;
  return (
    `${systemMegabytes} MB for the operating system image and ${imageMegabytes} MB for each other image (compressed), ${requests} requests in a row for` +
    `\neach pull, ${unpackRate} MB/s to unpack, ${checkout} s for the checkout of the operating system, ${start} s for its overlay, CRI-O and the kubelet,` +
    `\nand ${stage} s for each stage.`
  );
}

export const links = [
  { name: '1 Gbit/s, 1 ms', megabitsPerSecond: 1000, roundTrip: 0.001 },
  { name: '100 Mbit/s, 40 ms', megabitsPerSecond: 100, roundTrip: 0.04 },
  { name: '20 Mbit/s, 80 ms', megabitsPerSecond: 20, roundTrip: 0.08 },
];

const stepSeconds = 0.05;

/** The stages of bootkube with their images, in order, as in stage_images of bootkube-tools.sh. */
export function stageImages() {
  const text = readFileSync('templates/live/usr/local/bin/bootkube-tools.sh', 'utf8');
  const [, list = ''] = /<<END\n([a-z][^]*?)\nEND\n/.exec(text) ?? [];
  const rows = list.split('\n').map((line) => line.split(' '));
  const ofRelease = rows.filter(([, , render]) => render !== 'Installer');
  const stages = [...new Set(ofRelease.map(([stage]) => stage))];
  return stages.map((stage) => ofRelease.filter((row) => row[0] === stage).map(([, image]) => image));
}

/** Seconds from the release image to the end of the stages that need an image, and those of them without a transfer. */
export function pullTimes({ megabitsPerSecond, roundTrip, parallelPulls }) {
  const stages = stageImages();
  const queue = [...new Set(stages.flat())];
  const steps = stepsOf(stages);
  const pulls = new Map();
  const times = { seconds: 0, idle: 0 };
  const begin = (name) => {
    if (!pulls.has(name)) pulls.set(name, pullOf(name, roundTrip));
  };
  while (steps.length > 0) {
    const [step] = steps;
    if (step.pull !== undefined) begin(step.pull);
    if (step.pull === undefined ? step.seconds <= 0 : isThere(pulls.get(step.pull))) {
      steps.shift();
      continue;
    }
    for (const name of step.isAhead ? queue : []) {
      const running = [...pulls.values()].filter((pull) => !isThere(pull));
      if (running.length < parallelPulls) begin(name);
    }
    const hasTransfer = advance([...pulls.values()], (megabitsPerSecond / 8) * stepSeconds);
    if (step.pull === undefined) step.seconds -= stepSeconds;
    if (!hasTransfer) times.idle += stepSeconds;
    times.seconds += stepSeconds;
  }
  return times;
}

/** The work and the pulls of the stages, one after another. The pulls ahead begin after the checkout of the operating system. */
function stepsOf(stages) {
  return [
    { pull: 'system' },
    { seconds: assumed.checkout },
    { seconds: assumed.start, isAhead: true },
    ...stages.flatMap((images) => [
      ...images.map((pull) => ({ pull, isAhead: true })),
      { seconds: assumed.stage, isAhead: true },
    ]),
  ];
}

function pullOf(name, roundTrip) {
  const megabytes = name === 'system' ? assumed.systemMegabytes : assumed.imageMegabytes;
  return { wait: assumed.requests * roundTrip, megabytes, unpack: megabytes / assumed.unpackRate };
}

function isThere({ unpack }) {
  return unpack <= 0;
}

/** Advances all pulls by a step; the transfers share its megabytes equally. Returns whether there was a transfer. */
function advance(pulls, megabytes) {
  const transfers = pulls.filter((pull) => pull.wait <= 0 && pull.megabytes > 0);
  for (const pull of pulls) {
    if (pull.wait > 0) pull.wait -= stepSeconds;
    else if (pull.megabytes > 0) pull.megabytes -= megabytes / transfers.length;
    else pull.unpack -= stepSeconds;
  }
  return transfers.length > 0;
}

/** The times without and with pulls ahead, for each link. */
export function pullTimeTable() {
  const rows = links.map((link) => {
    const before = pullTimes({ ...link, parallelPulls: 0 });
    const after = pullTimes({ ...link, parallelPulls: 3 });
    const saved = Math.round((1 - after.seconds / before.seconds) * 100);
    return [
      link.name,
      minutes(before.seconds),
      minutes(before.idle),
      minutes(after.seconds),
      minutes(after.idle),
      `${saved} %`,
    ];
  });
  return table(['link, round trip', 'one after another', 'idle link', 'ahead', 'idle link', 'saved'], rows);
}

function minutes(seconds) {
  return `${(seconds / 60).toFixed(1)} min`;
}
