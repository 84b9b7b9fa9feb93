import { availableParallelism } from 'node:os';

import { createObjects } from '../../cluster/create-objects.js';
import { isError, problem } from '../../core/problem.js';
import { failure, problemsOf, success, type Result } from '../../core/result.js';
import { readNamedText } from '../../disk/named-file.js';
import { standardInput } from '../../disk/outside/standard-input.js';
import { inputsOf } from '../../disk/read-inputs.js';
import { recipientFaults } from '../../fleet/making/fleet-order.js';
import { secretVariables } from '../../fleet-review/secret-variables.js';
import { fleetParts } from '../../fleet-store/job/fleet-files.js';
import { groupedFiles } from '../../fleet-store/job/grouped-files.js';
import {
  jobObjects,
  neededSecrets,
  type JobOrder,
  type NeededSecret,
} from '../../fleet-store/job/job-objects.js';
import { writeYaml } from '../../formats/yaml/write-yaml.js';
import type { GlobalOptions } from '../../command-line/options.js';
import { report, shows } from '../../command-line/output/report.js';
import { onStopSignals } from '../../command-line/stop-signals.js';
import type { JobOptions } from '../../fleet-command-line/fleet-options.js';
import { openedFleet } from '../../fleet-command-line/fleet-request.js';
import { judgedSites } from '../../fleet-command-line/judged-sites.js';
import { fleetProblemsShown } from '../../fleet-command-line/tell-fleet.js';
import { plainFaults } from './create-in-store.js';
import { jobSettings } from './job-settings.js';

type Options = GlobalOptions & JobOptions;

/** Prints the Job that makes a fleet into a store, with its ConfigMaps, or creates them. */
export async function makeJob(options: Options): Promise<void> {
  const order = await orderOf(options);
  if (!order.ok) {
    report(options, { problems: order.problems });
    return;
  }
  const objects = jobObjects(order.value);
  const secrets = neededSecrets(order.value);
  const created = options.apply === true ? await applied(options, objects) : success(undefined);
  const json = { objects, secrets, isApplied: options.apply === true };
  const text =
    options.apply === true
      ? `the Job ${order.value.name} is created: ${order.value.shards} shards\n`
      : objects.map((each) => `---\n${writeYaml(each)}`).join('');
  report(options, { problems: [...order.warnings, ...problemsOf(created)], text, json });
  if (options.output === 'text' && created.ok && shows(options, 'info'))
    process.stderr.write(secretsText(secrets, order.value));
}

async function orderOf(options: Options): Promise<Result<JobOrder>> {
  const settings = jobSettings(options);
  const stdin = standardInput();
  const opened = openedFleet({ dir: options.dir, only: [] }, stdin);
  const faults = opened.ok
    ? [...(await recipientFaults(opened.value.fleet)), ...plainFaults(opened.value)]
    : [];
  const problems = [...problemsOf(settings), ...problemsOf(opened), ...faults];
  if (!settings.ok || !opened.ok || faults.length > 0) return failure(...problems);
  const parts = fleetParts(inputsOf(options.dir, {}), opened.value, secretVariables(opened.value));
  if (!parts.ok) return parts;
  const files = groupedFiles(settings.value.name, parts.value.files);
  if (!files.ok) return files;
  // A pod would find the same, in a log that nobody reads.
  const found = await judgedSites(options, { opened: opened.value, stdin, jobs: availableParallelism() });
  const judged = fleetProblemsShown(options, found, opened.value.rows.length);
  if (judged.some(isError)) return failure(...problems, ...judged);
  const order = { ...settings.value, files: files.value, secretVariables: parts.value.variables };
  return success(order, [...problems, ...judged]);
}

async function applied(options: Options, objects: ReturnType<typeof jobObjects>): Promise<Result<void>> {
  const path = options.kubeconfig ?? process.env['KUBECONFIG'] ?? '';
  if (path === '') {
    const hint = 'name the file by --kubeconfig, or pipe what is printed without --apply into kubectl';
    return failure(
      problem('cluster/kubeconfig', 'no kubeconfig says where the Job is to be created', { hint }),
    );
  }
  const read = readNamedText('--kubeconfig', path);
  if (!read.ok) return read;
  const signals = onStopSignals();
  try {
    const isTrusted = options.trustKubeconfig === true;
    const connection = { path, text: read.value, isTrusted, present: () => new Date(), stop: signals.stop };
    return await createObjects(connection, objects);
  } finally {
    signals.release();
  }
}

/** What has to be there before: names and places, and no value. */
function secretsText(secrets: readonly NeededSecret[], { namespace }: JobOrder): string {
  const where = namespace === undefined ? '' : ` --namespace ${namespace}`;
  const lines = secrets.map(({ name, keys }) => {
    const shown = keys.map(({ key, from }) => `  ${key}: ${from}`);
    return [`${name}${where}`, ...shown].join('\n');
  });
  return `\nThe Job refers to these Secrets, which are not made here (docs/fleet-job.md):\n${lines.join('\n')}\n`;
}
