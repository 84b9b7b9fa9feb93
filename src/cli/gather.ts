import { problem, type Problem } from '../core/problem.js';
import { quoted } from '../core/quoted.js';
import { problemsOf } from '../core/result.js';
import { readNamedFile } from '../disk/named-file.js';
import { parseDuration } from '../formats/duration.js';
import { gatherBundle, type GatheredBundle } from '../remote/ssh/gather.js';
import { parseNodeAddress, type NodeAddress } from '../remote/ssh/node-address.js';
import type { GatherOptions, GlobalOptions } from './options.js';
import { stateAccess, stateFileOf } from './request.js';
import { report, isLogged } from './output/report.js';
import { onStopSignals } from './stop-signals.js';
import { usageError } from './usage-error.js';
import { shellWord } from '../formats/shell-word.js';

/** Creates a log bundle on the node over SSH and downloads it to the directory. */
export async function gather(given: GatherOptions, options: GlobalOptions): Promise<void> {
  const host = given.bootstrap ?? given.host;
  if (host === undefined || (given.bootstrap !== undefined && given.host !== undefined)) {
    usageError(options, '--bootstrap HOST is required', 'use `sno-install gather --bootstrap HOST`');
    return;
  }
  const address = parseNodeAddress(host);
  const mistakes = [...problemsOf(address), ...timeoutMistakes(given.timeout), ...unreadableKeys(given.key)];
  if (!address.ok || mistakes.length > 0) report(options, { problems: mistakes });
  else await gatherFrom(address.value, given, options);
}

async function gatherFrom(address: NodeAddress, given: GatherOptions, options: GlobalOptions): Promise<void> {
  if (isLogged(options, 'info') && options.output === 'text')
    process.stderr.write(`collecting the logs of ${address.host}, this takes one or two minutes\n`);
  const signals = onStopSignals();
  const gathered = await gatherBundle({
    dir: options.dir,
    ...stateFileOf(options),
    access: stateAccess(options),
    address,
    keyFiles: given.key,
    timeoutMs: (parseDuration(given.timeout) ?? 0) * 1000,
    present: new Date(),
    stop: signals.stop,
  });
  signals.release();
  const bundle = gathered.ok ? gathered.value : undefined;
  if (gathered.ok && bundle === undefined) process.exitCode = signals.exitCode();
  else
    report(options, {
      problems: problemsOf(gathered),
      ...(bundle && { text: summary(bundle), json: { bundle } }),
    });
}

function summary({ path, bytes }: GatheredBundle): string {
  return `Wrote ${path} (${(bytes / 1e6).toFixed(1)} MB).\nNext: \`sno-install analyze ${shellWord(path)}\`.\n`;
}

function timeoutMistakes(timeout: string): readonly Problem[] {
  const seconds = parseDuration(timeout);
  if (seconds !== undefined && seconds >= shortestSeconds && seconds <= longestSeconds) return [];
  const message = `--timeout is ${quoted(timeout)}, expected a duration from 30s to 24h`;
  return [problem('usage/unknown-argument', message, { hint: 'try 20m' })];
}

const shortestSeconds = 30;

/** Timers of Node.js are limited to 24 days. */
const longestSeconds = 24 * 60 * 60;

function unreadableKeys(files: readonly string[]): readonly Problem[] {
  return files.flatMap((file) => problemsOf(readNamedFile('--key', file)));
}
