import { rfc3339 } from '../core/rfc3339.js';
import { join } from 'node:path';

import { problemsOf } from '../core/result.js';
import { unignoredSecrets } from '../disk/git/unignored-secrets.js';
import type { OutputChange } from '../disk/outputs.js';
import { isSealedName, sealedName } from '../disk/state/sealed-outputs.js';
import { kilobytes } from './output/kilobytes.js';
import type { RunReport } from '../run/run.js';
import { bootConfigs, isIgnitionTarget, type CreatedTarget } from '../run/targets.js';
import type { AioOptions, GlobalOptions, RecipientOptions, RenewOptions } from './options.js';
import { isData } from './output/data.js';
import { isLogged, report } from './output/report.js';
import { shortSheetOf } from './output/short-sheet.js';
import { existingOutput } from '../run/sources/existing-output.js';
import { reportRun } from './report-run.js';
import { parseRenewal } from './renewal.js';
import { runRequest, signerOf, stateAccess } from './request.js';
import { shellWord } from '../formats/shell-word.js';
import { liveConfigName } from '../serve/site-folders.js';

/** Generates a target. Prints the written files, the boot deadline and the next step. */
export async function createTarget(
  target: CreatedTarget,
  options: GlobalOptions & AioOptions & RenewOptions & RecipientOptions,
): Promise<void> {
  const [renewal, signer] = [parseRenewal(options), await signerOf(options)];
  if (!renewal.ok || !signer.ok) {
    report(options, { problems: [renewal, signer].flatMap(problemsOf) });
    return;
  }
  await reportRun(
    options,
    (progress) => runRequest(target, options, { ...progress, ...renewal.value, ...signer.value }),
    async (made) => ({
      text: summary(target, options.dir, { ...made, sheet: await sheetOf(target, options, made) }),
      json: jsonSummary(made),
      problems: target === 'manifests' ? [] : unignoredSecrets(options.dir),
    }),
  );
}

/** The short sheet of the created boot config. Empty if the config is encrypted and there is no identity. */
async function sheetOf(
  target: CreatedTarget,
  options: GlobalOptions,
  made: RunReport,
): Promise<readonly string[]> {
  const name = isIgnitionTarget(target) ? bootConfigs[target] : undefined;
  if (name === undefined || isData(options) || !isLogged(options, 'info')) return [];
  const held = made.plain?.get(name);
  if (held !== undefined) return shortSheetOf(Buffer.from(held));
  const read = await existingOutput(options.dir, name, stateAccess(options));
  return read?.ok === true ? shortSheetOf(read.value) : [];
}

function summary(
  target: CreatedTarget,
  dir: string,
  made: RunReport & { readonly sheet: readonly string[] },
): string {
  const lines = [
    ...tableOf(dir, made.outputs),
    '',
    ...made.sheet,
    ...(made.embedded === undefined ? [] : [embeddedLine(made.embedded)]),
    ...(made.bootableUntil === undefined ? [] : bootLines(target, made.sheet, rfc3339(made.bootableUntil))),
    ...(made.embedded === undefined && made.bootableUntil === undefined ? [] : ['']),
    ...(outputsAreSealed(made) ? sealedStep(target, dir) : nextStep(target, dir)),
  ];
  return `${lines.join('\n')}\n`;
}

function tableOf(dir: string, outputs: readonly OutputChange[]): readonly string[] {
  const shown = outputs.map(({ path, change, bytes, mode }) => ({
    path: join(dir, path),
    change,
    size: change === 'removed' ? '-' : kilobytes(bytes),
    mode: change === 'removed' ? '-' : mode.toString(8).padStart(4, '0'),
  }));
  const width = Math.max(4, ...shown.map(({ path }) => path.length));
  const row = (path: string, mode: string, size: string, change: string): string =>
    `${path.padEnd(width)}  ${mode.padEnd(4)}  ${size.padStart(9)}  ${change}`;
  return [
    row('FILE', 'MODE', 'SIZE', 'CHANGE'),
    ...shown.map((each) => row(each.path, each.mode, each.size, each.change)),
  ];
}

function embeddedLine({ bytes, isExact, limitBytes }: NonNullable<RunReport['embedded']>): string {
  const size = isExact ? kilobytes(bytes) : `at most ${kilobytes(bytes)}`;
  return `Embedded in the live ISO, compressed: ${size} of ${kilobytes(limitBytes)}.`;
}

/** The deadline, unless the sheet has it. */
function bootLines(target: CreatedTarget, sheet: readonly string[], until: string): readonly string[] {
  if (target === 'aio-ignition')
    return sheet.length > 0
      ? ['The running control plane renews its certificates.']
      : [`Boot the machine before ${until}; the running control plane renews its certificates.`];
  return sheet.length > 0 ? [] : [`Boot the ISO before ${until}: certificates expire then.`];
}

function nextStep(target: CreatedTarget, dir: string): readonly string[] {
  switch (target) {
    case 'manifests':
      return [
        `Next: edit the manifests, then run \`sno-install create single-node-ignition-config --dir ${shellWord(dir)}\`.`,
      ];
    case 'single-node-ignition-config': {
      const ignition = join(dir, liveConfigName);
      return [
        'Next, with the live ISO of the same release:',
        `  sno-install create iso ${shellWord(dir)} --iso LIVE.iso`,
        `or: coreos-installer iso ignition embed -i ${shellWord(ignition)} LIVE.iso`,
      ];
    }
    case 'aio-ignition': {
      const ignition = join(dir, 'aio.ign');
      return [
        'Next, from a CoreOS live system, or with a CoreOS disk image in QEMU:',
        `  coreos-installer install --ignition-file ${shellWord(ignition)} /dev/disk/by-id/…`,
        `  qemu-system-x86_64 … -fw_cfg ${shellWord(`name=opt/com.coreos/config,file=${ignition}`)}`,
        `Then: kubectl --kubeconfig ${shellWord(join(dir, 'auth/kubeconfig'))} get nodes`,
      ];
    }
  }
}

function outputsAreSealed({ outputs }: RunReport): boolean {
  return outputs.some(({ path, change }) => change !== 'removed' && isSealedName(path));
}

/** The next step after encrypted outputs: decrypt the config first, unless a command of this program does it. */
function sealedStep(target: CreatedTarget, dir: string): readonly string[] {
  const at = shellWord(dir);
  return target === 'aio-ignition'
    ? [
        'Next, on the host that installs the machine:',
        `  age -d -i IDENTITY ${shellWord(join(dir, sealedName('aio.ign')))} > aio.ign`,
        'Then continue as for an unencrypted config: docs/aio.md.',
      ]
    : [
        'Next, with the live ISO of the same release:',
        `  sno-install create iso ${at} --identity IDENTITY --iso LIVE.iso --out single-node.iso`,
      ];
}

function jsonSummary({ outputs, bootableUntil, embedded }: RunReport): Readonly<Record<string, unknown>> {
  return {
    outputs: outputs.map(({ path, change, bytes, mode }) => ({
      path,
      change,
      bytes,
      mode: mode.toString(8).padStart(4, '0'),
    })),
    ...(embedded && { embedded }),
    ...(bootableUntil && { bootableUntil: rfc3339(bootableUntil) }),
  };
}
