import { constants } from 'node:os';

import { commentedSnoConfig } from '../../config/commented-sno-config.js';
import { readInstallConfig } from '../../config/reading/install-config.js';
import { readSnoConfig } from '../../config/reading/sno-config.js';
import { recipientProblems } from '../../disk/state/named-keys.js';
import type { GlobalOptions, SnoConfigOptions } from '../options.js';
import { inputsWith, writeNewConfig } from './new-config.js';
import { promptForValues } from './prompts.js';

const file = 'sno-config.yaml';

/** Writes a commented sno-config.yaml. Values come from options, then from prompts; the rest is commented out. */
export async function createSnoConfig(given: SnoConfigOptions, options: GlobalOptions): Promise<void> {
  const told = await promptForValues(given, questions, options);
  if (told === undefined) {
    process.exitCode = 128 + constants.signals.SIGINT;
    return;
  }
  const text = commentedSnoConfig(valuesOf(told));
  const inputs = inputsWith(options.dir, file, text);
  const needsAddress = told.localDns === true && told.nodeIp === undefined;
  writeNewConfig(options, {
    file,
    text,
    problems: readSnoConfig(inputs, readInstallConfig(inputs).draft).problems,
    wrongOptions: await recipientProblems(
      told.recipient.map((text, index) => ({ text, place: `--recipient ${index + 1}` })),
    ),
    given: fields.filter(([name]) => told[name] !== undefined).map(([, option, field]) => [option, field]),
    open: needsAddress ? ['nodeIP'] : undefined,
  });
}

const questions = [
  ['hostname', 'Host name of the node (Enter: from DHCP or DNS)'],
  ['nodeIp', 'Address of the node (Enter: its first address in a machine network)'],
] as const;

function valuesOf({
  hostname,
  nodeIp,
  releaseImage,
  ntpSource,
  localDns,
  recipient,
}: SnoConfigOptions): Parameters<typeof commentedSnoConfig>[0] {
  // Local DNS requires the node's address.
  const nodeIP = nodeIp ?? (localDns === true ? '<address of the node>' : undefined);
  return {
    ...(hostname !== undefined && { hostname }),
    ...(nodeIP !== undefined && { nodeIP }),
    ...(releaseImage !== undefined && { releaseImage }),
    ...(ntpSource.length > 0 && { ntpSources: ntpSource }),
    ...(localDns === true && { dns: { local: true } }),
    ...(recipient.length > 0 && { state: { recipients: recipient } }),
  };
}

/** Name, option and target field of each value. */
const fields = [
  ['hostname', '--hostname', 'hostname'],
  ['nodeIp', '--node-ip', 'nodeIP'],
  ['releaseImage', '--release-image', 'releaseImage'],
  ['ntpSource', '--ntp-source', 'ntpSources'],
] as const;
