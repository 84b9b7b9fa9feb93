import { join } from 'node:path';

import { problem, type Problem } from '../../core/problem.js';
import type { Stdin } from '../../disk/outside/standard-input.js';
import { whyNoRecipient } from '../../formats/age.js';
import type { Inputs } from '../../graph/context.js';
import { decodeUtf8 } from '../../formats/utf8.js';
import type { Fleet } from '../fleet-file.js';
import type { ReadFleet } from '../judge-fleet.js';
import { knownNames } from '../site-problems.js';
import type { SiteOrder } from './site-order.js';

/** What fleet.yaml says of the making of sites. */
export function orderOfFleet({
  fleet,
  table,
}: ReadFleet): Pick<
  SiteOrder,
  'target' | 'base' | 'overrides' | 'outputs' | 'recipients' | 'encryptOutputs' | 'known'
> {
  const { target, base, overrides, outputs, recipients, encryptOutputs } = fleet;
  return {
    target,
    base,
    overrides,
    outputs,
    recipients: recipients.map(({ text }) => text),
    ...(encryptOutputs !== undefined && { encryptOutputs }),
    known: knownNames(fleet, table),
  };
}

/** What is wrong with the recipients of fleet.yaml, each in its line. Problems: state/recipient. */
export async function recipientFaults({ recipients }: Fleet): Promise<readonly Problem[]> {
  const reasons = await Promise.all(recipients.map(({ text }) => whyNoRecipient(text)));
  return recipients.flatMap(({ at }, index) => {
    const reason = reasons[index];
    return reason === undefined ? [] : [problem('state/recipient', `recipients[${index}] ${reason}`, { at })];
  });
}

/** Fields of sno-config.yaml that may say `-`. */
const references = ['pullSecretFile', 'sshKeyFile'];

/** What the standard input holds, where a config of the fleet says that a value stands there. Threads have no part in it. */
export function neededStdin(
  { rows, baseInputs, overrideInputs }: ReadFleet,
  stdin: Stdin,
): Pick<SiteOrder, 'stdin'> {
  const texts = [
    textOf(baseInputs, 'sno-config.yaml'),
    ...rows.map(({ name }) => textOf(overrideInputs, join(name, 'sno-config.yaml'))),
  ];
  const reader = references.find((field) =>
    texts.some((text) => new RegExp(`["']?${field}["']?\\s*:\\s*["']?-["']?\\s*(?:[#,}\\n]|$)`).test(text)),
  );
  return reader === undefined ? {} : { stdin: { reader, read: stdin(reader) } };
}

function textOf(inputs: Inputs, path: string): string {
  const read = inputs.read(path);
  return read.kind === 'file' ? (decodeUtf8(read.bytes) ?? '') : '';
}
