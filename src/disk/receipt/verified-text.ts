import { releaseText } from '../../media/machine-of.js';
import { printable } from '../../core/printable.js';
import { maskedArgument } from '../../core/quoted.js';
import type { ReceiptLiveIso } from './receipt-medium.js';
import { presentInputs, type VerifiedReceipt } from './verify-receipts.js';

/** Summary of a valid receipt; empty for an invalid one. `payloadPlace` completes the sentence "the payload is". */
export function receiptText(verified: VerifiedReceipt, payloadPlace?: string): string {
  const { file, ok, read, signature, isLiveIsoCompared, isFleetSite } = verified;
  if (read === undefined || !ok) return '';
  const { target, cluster, issued, outputs, program, medium } = read.receipt;
  const [made, from] = [counted(outputs.length, 'output'), counted(presentInputs(read).length, 'input')];
  const who = `${cluster.name}.${cluster.baseDomain}, ${target}`;
  const by = `sno-install ${program.version}, certificates of ${issued}`;
  const live = medium?.liveIso && liveIsoText(medium.liveIso, isLiveIsoCompared);
  const lines = [
    `${file}: ${made} of ${from}, unchanged (${who}; ${by})`,
    ...(signature === undefined
      ? []
      : [
          signature.signer === undefined
            ? `  signed by ${signature.key}; use --allowed-signers to show the signer`
            : `  signed by ${signature.signer} (${signature.key})`,
        ]),
    ...(live === undefined ? [] : [live]),
    ...(medium?.payload === undefined
      ? []
      : [`  with the payload ${medium.payload.release}, sha256 ${medium.payload.sha256}`]),
    ...(payloadPlace === undefined ? [] : [`  the payload is ${payloadPlace}`]),
    ...(isFleetSite ? ['  inputs of a fleet, not compared (see `sno-install fleet status`)'] : []),
  ];
  return `${lines.map(printable).join('\n')}\n`;
}

/** The source of a medium, and whether it was compared. */
function liveIsoText({ name, architecture, release }: ReceiptLiveIso, isCompared: boolean): string {
  const about = [release ?? releaseText(release), architecture]
    .filter((fact) => fact !== undefined)
    .join(', ');
  const which = `the live ISO ${maskedArgument(name)} (${about})`;
  return isCompared
    ? `  created from ${which}, unchanged`
    : `  created from ${which}, not compared (use --iso)`;
}

function counted(count: number, name: string): string {
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}

/** JSON form. Contains nothing of an unusable receipt, whose contents are arbitrary. */
export function receiptData(verified: VerifiedReceipt, payloadPlace?: string): readonly object[] {
  const { file, ok, read, signature, isLiveIsoCompared } = verified;
  if (read === undefined) return [];
  const { target, cluster, issued, outputs, program, medium } = read.receipt;
  const { version, build } = program;
  return [
    {
      path: file,
      ok,
      target,
      cluster,
      program: { version, ...(build !== undefined && { build }) },
      issued,
      ...(signature && { signature }),
      outputs: outputs.map(({ path }) => maskedArgument(path)),
      inputs: presentInputs(read).map(maskedArgument),
      ...(payloadPlace !== undefined && { payloadIs: payloadPlace }),
      ...(medium?.liveIso && { liveIso: liveIsoData(medium.liveIso, isLiveIsoCompared) }),
      ...(medium?.payload && { payload: medium.payload }),
    },
  ];
}

function liveIsoData(live: ReceiptLiveIso, isCompared: boolean): object {
  const { bytes, sha256, architecture, release } = live;
  return {
    name: maskedArgument(live.name),
    bytes,
    sha256,
    ...(architecture !== undefined && { architecture }),
    ...(release !== undefined && { release }),
    isCompared,
  };
}
