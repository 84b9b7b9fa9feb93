import { printable } from '../core/printable.js';
import { shownArgument } from '../core/quoted.js';
import { presentInputs, type VerifiedReceipt } from './verified-receipts.js';

/** What holds of a receipt, for people; nothing of one that does not hold. */
export function receiptText({ file, ok, read, signature }: VerifiedReceipt): string {
  if (read === undefined || !ok) return '';
  const { target, cluster, issued, outputs, program } = read.receipt;
  const [made, from] = [counted(outputs.length, 'output'), counted(presentInputs(read).length, 'input')];
  const who = `${cluster.name}.${cluster.baseDomain}, ${target}`;
  const by = `sno-install ${program.version}, certificates of ${issued}`;
  const lines = [
    `${file}: ${made} of ${from} as they were made (${who}; ${by})`,
    ...(signature === undefined
      ? []
      : [
          signature.signer === undefined
            ? `  signed by ${signature.key}; --allowed-signers says whose key that is`
            : `  signed by ${signature.signer} (${signature.key})`,
        ]),
  ];
  return `${lines.map(printable).join('\n')}\n`;
}

function counted(count: number, name: string): string {
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}

/** The same for programs. Nothing of a receipt that cannot be used: it may be anything. */
export function receiptData({ file, ok, read, signature }: VerifiedReceipt): readonly object[] {
  if (read === undefined) return [];
  const { target, cluster, issued, outputs, program } = read.receipt;
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
      outputs: outputs.map(({ path }) => shownArgument(path)),
      inputs: presentInputs(read).map(shownArgument),
    },
  ];
}
