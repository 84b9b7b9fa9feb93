import { rfc3339 } from '../../core/rfc3339.js';
import type { RunReport } from '../../run.js';

/** An image that was written. */
export interface MadeIso {
  readonly path: string;
  readonly usedBytes: number;
  readonly limitBytes: number;
  readonly ignition: RunReport;
  /** Where its receipt lies; a stream has none. */
  readonly receipt?: string;
  /** Of a minimal image. */
  readonly rootfsUrl?: URL;
  /** Where its root file system lies to be served, where that was asked for. */
  readonly rootfsFile?: string;
}

/** What was written and what to do next, for people. */
export function isoSummary(made: MadeIso): string {
  const { path, usedBytes, limitBytes, ignition, receipt } = made;
  const until = ignition.bootableUntil;
  return [
    `Wrote ${path}, for its owner alone: it holds the keys of the cluster.`,
    `The Ignition config takes ${usedBytes} of ${limitBytes} bytes, and was read back from the image.`,
    ...(receipt === undefined ? [] : [`What it was made of is in ${receipt}.`]),
    ...(until === undefined ? [] : [`Boot it before ${rfc3339(until)}: certificates end then.`]),
    '',
    ...nextLines(made),
    '',
  ].join('\n');
}

function nextLines({ rootfsUrl, rootfsFile }: MadeIso): readonly string[] {
  const boot = 'boot the machine from it, once. It installs itself and reboots.';
  if (rootfsUrl === undefined) return [`Next: ${boot}`];
  const what =
    rootfsFile === undefined
      ? 'the root file system of this very live ISO (`--rootfs-out FILE` writes it)'
      : rootfsFile;
  return [
    `Next: serve ${what}`,
    `as ${rootfsUrl.href}, where the machine can reach it: its live system fetches it,`,
    `and boots with no other. Then ${boot}`,
  ];
}

/** The same for programs. */
export function isoData(made: MadeIso): Readonly<Record<string, unknown>> {
  const { path, usedBytes, limitBytes, ignition, receipt, rootfsUrl, rootfsFile } = made;
  const { bootableUntil } = ignition;
  return {
    path,
    embedded: { bytes: usedBytes, isExact: true, limitBytes },
    ...(receipt !== undefined && { receipt }),
    ...(rootfsUrl && {
      rootfs: { url: rootfsUrl.href, ...(rootfsFile !== undefined && { file: rootfsFile }) },
    }),
    ...(bootableUntil && { bootableUntil: rfc3339(bootableUntil) }),
  };
}
