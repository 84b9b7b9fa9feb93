import { judgedPayloads, namedPayloads, recipientFaults, sharedPayload } from '../../fleet/build/index.js';
import { type Fleet, fleetFileName } from '../../fleet/table/index.js';
import { isAbsolute, join } from 'node:path';

import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { createRecordFolder } from '../../disk/record-file.js';
import { servingStateName } from '../../serve/tokens/serving-state.js';
import { openFleetOf } from '../fleet/open-fleet.js';
import type { ServeCommandLine, ServeConfig } from './serve-options.js';

/**
 * Returns the sites of a fleet and the `serve` settings of its fleet.yaml. Without a store, creates the output folder if missing,
 * because sites may be generated while the server runs. Problems: those of `openRequestedFleet`, media/serve-sites, state/recipient, dir/not-writable.
 */
export async function fleetServeConfig(dir: string, options: ServeCommandLine): Promise<Result<ServeConfig>> {
  const opened = openFleetOf({ dir });
  if (!opened.ok) return opened;
  const { fleet, rows } = opened.value;
  if (fleet.target !== 'single-node-ignition-config') return noMedia(fleet);
  const faults = await recipientFaults(fleet);
  if (faults.length > 0) return failure(...faults);
  const outputs = join(dir, fleet.outputs);
  const named = namedPayloads(dir, opened.value);
  const payload = options.payload ?? sharedPayload(named);
  const sites = {
    options: {
      ...options,
      ...fleetDefaults(dir, fleet, options),
      ...(payload !== undefined && { payload }),
    },
    payloadsFor: (text: string | undefined) => judgedPayloads(opened.value, named, text),
    awaited: rows.map(({ name }) => ({ name, dir: join(outputs, name) })),
  };
  if (options.store !== undefined)
    return success({ ...sites, folders: [], store: { address: options.store, outputs } });
  const folder = createRecordFolder(outputs, dir);
  return folder.ok ? success({ ...sites, folders: [outputs] }) : folder;
}

/** Settings of fleet.yaml for options that the command line omits. */
function fleetDefaults(
  dir: string,
  { serve, recipients }: Fleet,
  commandLine: ServeCommandLine,
): Partial<ServeCommandLine> {
  const at = (path: string): string => (isAbsolute(path) ? path : join(dir, path));
  const [iso, listen, url] = [
    commandLine.iso ?? (serve.iso && at(serve.iso)),
    commandLine.listen ?? serve.listen,
    commandLine.url ?? serve.url,
  ];
  const saysIdentity = (commandLine.identity ?? []).length > 0 || commandLine.passphraseFile !== undefined;
  return {
    ...(iso !== undefined && { iso }),
    ...(listen !== undefined && { listen }),
    ...(url !== undefined && { url }),
    tokens: commandLine.tokens ?? at(serve.tokens ?? servingStateName),
    ...(!saysIdentity && serve.identity !== undefined && { identity: [at(serve.identity)] }),
    ...(!saysSeal(commandLine) &&
      recipients.length > 0 && { recipient: [...new Set(recipients.map(({ text }) => text))] }),
  };
}

function saysSeal({ recipient = [], recipientsFile = [], passphrase }: ServeCommandLine): boolean {
  return recipient.length > 0 || recipientsFile.length > 0 || passphrase === true;
}

function noMedia({ target }: Fleet): Result<never> {
  const message = `the target of this fleet is ${target}, which has no live ISO`;
  const hint = '`serve` requires `target: single-node-ignition-config`';
  return failure(
    problem('media/serve-sites', message, { at: { file: fleetFileName, path: 'target' }, hint }),
  );
}
