import { availableParallelism } from 'node:os';

import { createObjects } from '../../../remote/kubernetes/create-objects.js';
import type { GlobalOptions } from '../../options.js';
import { report, isLogged } from '../../output/report.js';
import { onStopSignals } from '../../stop-signals.js';
import { type Problem, isError, problem } from '../../../core/problem.js';
import { type Result, failure, problemsOf, success } from '../../../core/result.js';
import { mayBeSecretArgument } from '../../../core/secrets.js';
import { readNamedText } from '../../../disk/named-file.js';
import { standardInput } from '../../../disk/external-files/standard-input.js';
import { cachedInputs } from '../../../disk/read-inputs.js';
import { environmentInputs } from '../../../disk/environment.js';
import type { JobOptions } from '../fleet-options.js';
import { openRequestedFleet } from '../fleet-request.js';
import { checkedSites } from '../checked-sites.js';
import { fleetProblemsShown } from '../print-fleet-problems.js';
import { secretVariables } from '../../../fleet/review/secret-variables.js';
import { fleetParts } from '../../../fleet/store/job/fleet-files.js';
import { groupFiles } from '../../../fleet/store/job/grouped-files.js';
import {
  type FleetJobOptions,
  type RequiredSecret,
  jobObjects,
  requiredSecrets,
} from '../../../fleet/store/job/job-objects.js';
import { recipientFaults } from '../../../fleet/build/fleet-options.js';
import { writeYaml } from '../../../formats/yaml/write-yaml.js';
import { type StoreAddress, storeAddress } from '../../../remote/object-store/store-address.js';
import { unencryptedFaults } from './create-in-store.js';
import { storeAuthorities } from './store-authorities.js';

type Options = GlobalOptions & JobOptions;

/** Prints, or creates, the Job that generates a fleet into a store, and its ConfigMaps. */
export async function makeJob(options: Options): Promise<void> {
  const order = await orderOf(options);
  if (!order.ok) {
    report(options, { problems: order.problems });
    return;
  }
  const objects = jobObjects(order.value);
  const secrets = requiredSecrets(order.value);
  const created = options.apply === true ? await applyObjects(options, objects) : success(undefined);
  const json = { objects, secrets, isApplied: options.apply === true };
  const text =
    options.apply === true
      ? `created Job ${order.value.name} with ${order.value.shards} shards\n`
      : objects.map((each) => `---\n${writeYaml(each)}`).join('');
  report(options, { problems: [...order.warnings, ...problemsOf(created)], text, json });
  if (options.output === 'text' && created.ok && isLogged(options, 'info'))
    process.stderr.write(secretsText(secrets, order.value));
}

async function orderOf(options: Options): Promise<Result<FleetJobOptions>> {
  const settings = jobSettings(options);
  const stdin = standardInput();
  const opened = openRequestedFleet({ dir: options.dir }, stdin);
  const faults = opened.ok
    ? [...(await recipientFaults(opened.value.fleet)), ...unencryptedFaults(opened.value)]
    : [];
  const problems = [...problemsOf(settings), ...problemsOf(opened), ...faults];
  if (!settings.ok || !opened.ok || faults.length > 0) return failure(...problems);
  const parts = fleetParts(cachedInputs(options.dir, {}), opened.value, secretVariables(opened.value));
  if (!parts.ok) return parts;
  const files = groupFiles(settings.value.name, parts.value.files);
  if (!files.ok) return files;
  // A pod would find the same problems, but only log them.
  const found = await checkedSites(options, { opened: opened.value, stdin, jobs: availableParallelism() });
  const judged = fleetProblemsShown(options, found, opened.value.rows.length);
  if (judged.some(isError)) return failure(...problems, ...judged);
  const order = { ...settings.value, files: files.value, secretVariables: parts.value.variables };
  return success(order, [...problems, ...judged]);
}

async function applyObjects(options: Options, objects: ReturnType<typeof jobObjects>): Promise<Result<void>> {
  const path = options.kubeconfig ?? process.env['KUBECONFIG'] ?? '';
  if (path === '') {
    const hint = 'use --kubeconfig, or run without --apply and pipe the output to kubectl';
    return failure(
      problem('cluster/kubeconfig', '--apply requires --kubeconfig or the KUBECONFIG variable', { hint }),
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

/** Lists the required Secrets by name, key and source, without values. */
function secretsText(secrets: readonly RequiredSecret[], { namespace }: FleetJobOptions): string {
  const where = namespace === undefined ? '' : ` --namespace ${namespace}`;
  const lines = secrets.map(({ name, keys }) => {
    const shown = keys.map(({ key, from }) => `  ${key}: ${from}`);
    return [`${name}${where}`, ...shown].join('\n');
  });
  return `\nThe Job requires these Secrets, which you must create (docs/fleet-build.md):\n${lines.join('\n')}\n`;
}

/** Parses the options and environment of a Job. Problems: job/setting, store/address, usage/unreadable-file. */
function jobSettings(options: JobOptions): Result<Omit<FleetJobOptions, 'files' | 'secretVariables'>> {
  const { name, namespace, image, store, identitySecret } = options;
  const [shards, jobs] = [numberOf(options.shards, 10_000), numberOf(options.jobs ?? '1', 64)];
  const address = storeAddress(store, process.env);
  const isPlain = address.ok && address.value.bucketUrl.startsWith('http:');
  const authorities = isPlain ? success({}) : storeAuthorities(process.env);
  const faults: readonly Problem[] = [
    ...(shards === undefined ? [fault('--shards', 'a number of pods from 1 to 10000')] : []),
    ...(jobs === undefined ? [fault('--jobs', 'a number of threads per pod from 1 to 64')] : []),
    ...(isName(name, 40) ? [] : [fault('--name', 'up to 40 lower-case letters, digits and "-"')]),
    ...(namespace === undefined || isName(namespace, 63)
      ? []
      : [fault('--namespace', 'a valid namespace name')]),
    ...(identitySecret === undefined || isName(identitySecret, 63)
      ? []
      : [fault('--identity-secret', 'a valid Secret name')]),
    ...(isImage(image) ? [] : [fault('--image', 'a valid image reference')]),
  ];
  const problems = [...faults, ...problemsOf(address), ...problemsOf(authorities)];
  if (shards === undefined || jobs === undefined || !address.ok || !authorities.ok || problems.length > 0)
    return failure(...problems);
  // Entries with a dash are options, which have no variable.
  const inputs = Object.entries(environmentInputs(process.env)).filter(([key]) => !key.startsWith('-'));
  return success({
    name,
    image,
    store,
    shards,
    jobs,
    variables: { ...addressVariables(address.value), ...Object.fromEntries(inputs) },
    ...(namespace !== undefined && { namespace }),
    ...(identitySecret !== undefined && { identitySecret }),
    ...authorities.value,
  });
}

/** Only the validated endpoint and region. Other variables were not validated. */
function addressVariables({ endpoint, region }: StoreAddress): Readonly<Record<string, string>> {
  return { ...(endpoint !== undefined && { AWS_ENDPOINT_URL_S3: endpoint }), AWS_REGION: region };
}

function numberOf(text: string, most: number): number | undefined {
  return /^[1-9]\d{0,4}$/.test(text) && Number(text) <= most ? Number(text) : undefined;
}

/** Source: RFC 1123 §2.1, as used by Kubernetes */
function isName(text: string, most: number): boolean {
  return text.length <= most && /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(text);
}

function isImage(text: string): boolean {
  return /^[a-z0-9][A-Za-z0-9._:/@-]{0,255}$/.test(text) && !mayBeSecretArgument(text);
}

/** The message does not repeat the value, because it may be a secret. */
function fault(option: string, expected: string): Problem {
  return problem('job/setting', `${option} is not ${expected}`);
}
