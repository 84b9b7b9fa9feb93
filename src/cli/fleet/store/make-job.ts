import {
  type FleetJobOptions,
  type RequiredSecret,
  jobObjects,
  requiredSecrets,
} from '../../../fleet/job/index.js';
import { fleetIdOf, isFleetId } from '../../../fleet/store/index.js';
import { join } from 'node:path';

import { createObjects } from '../../../remote/kubernetes/create-objects.js';
import type { GlobalOptions } from '../../options.js';
import { report, isLogged } from '../../output/report.js';
import { onStopSignals } from '../../stop-signals.js';
import { type Problem, problem } from '../../../core/problem.js';
import { type Result, failure, problemsOf, success } from '../../../core/result.js';
import { mayBeSecretArgument } from '../../../core/secrets.js';
import { readNamedText } from '../../../disk/named-file.js';
import { readRecordKey } from '../../../disk/site-record/record-key.js';
import type { JobOptions } from '../fleet-options.js';
import { openFleetOf } from '../open-fleet.js';
import { writeYaml } from '../../../formats/yaml/write-yaml.js';
import { type StoreAddress, storeAddress } from '../../../remote/object-store/store-address.js';
import { countUpTo, numberOfShards } from './shards-option.js';
import { storeAuthorities } from '../../../remote/object-store/store-authorities.js';

type Options = GlobalOptions & JobOptions;

/** Prints, or creates, the Job whose pods create a fleet from its packs. */
export async function makeJob(options: Options): Promise<void> {
  const order = jobOptions(options);
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
function jobOptions(options: Options): Result<FleetJobOptions> {
  const { name, namespace, image, store, queue, serviceAccount, only, where } = options;
  const [shards, jobs] = [numberOfShards(options.shards), countUpTo(options.jobs ?? '1', 64)];
  const address = storeAddress(store, process.env);
  const isPlain = address.ok && address.value.bucketUrl.startsWith('http:');
  const authorities = isPlain ? success({}) : storeAuthorities(process.env);
  const fleetId = fleetIdIn(options);
  const isOdd = (text: string | undefined, most: number): boolean =>
    text !== undefined && !isName(text, most);
  const faults: readonly Problem[] = [
    ...(shards === undefined ? [fault('--shards', 'a number of pods from 1 to 10000')] : []),
    ...(jobs === undefined ? [fault('--jobs', 'a number of threads per pod from 1 to 64')] : []),
    ...(isOdd(name, 40) ? [fault('--name', 'up to 40 lower-case letters, digits and "-"')] : []),
    ...(isOdd(namespace, 63) ? [fault('--namespace', 'a valid namespace name')] : []),
    ...(isOdd(queue, 63) ? [fault('--queue', 'the name of a LocalQueue')] : []),
    ...(isOdd(serviceAccount, 63) ? [fault('--service-account', 'the name of a service account')] : []),
    ...(isImage(image) ? [] : [fault('--image', 'a valid image reference')]),
    ...[...only, ...where].filter(mayBeSecretArgument).map(() => fault('--only or --where', 'a selection')),
  ];
  const problems = [...faults, ...[address, authorities, fleetId].flatMap(problemsOf)];
  if (
    shards === undefined ||
    jobs === undefined ||
    !address.ok ||
    !authorities.ok ||
    !fleetId.ok ||
    problems.length > 0
  )
    return failure(...problems);
  return success({
    ...{ name, image, store, shards, jobs, only, where },
    fleetId: fleetId.value,
    variables: { ...addressVariables(address.value), ...(serviceAccount !== undefined && roleVariables()) },
    ...(namespace !== undefined && { namespace }),
    ...(queue !== undefined && { queue }),
    ...(serviceAccount !== undefined && { serviceAccount }),
    ...authorities.value,
  });
}

/** The ID of the fleet key, which `fleet pack` keeps in the output folder. Problems: job/setting, and those of `openFleet`. */
function fleetIdIn(options: Options): Result<string> {
  if (options.fleetId !== undefined) {
    if (isFleetId(options.fleetId)) return success(options.fleetId);
    return failure(fault('--fleet-id', 'the fleet ID that `fleet pack` prints'));
  }
  const opened = openFleetOf({ dir: options.dir });
  if (!opened.ok) return opened;
  const key = readRecordKey(join(options.dir, opened.value.fleet.outputs));
  if (key !== undefined) return success(fleetIdOf(key));
  const hint = 'run `fleet pack` in this directory first, or add the --fleet-id that it printed';
  return failure(problem('job/setting', 'the output directory has no fleet key', { hint }));
}

/** Settings of AssumeRoleWithWebIdentity without secrets. */
function roleVariables(): Readonly<Record<string, string>> {
  const names = ['AWS_ROLE_ARN', 'AWS_ROLE_SESSION_NAME', 'AWS_ENDPOINT_URL_STS'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name] ?? '';
      return value === '' || mayBeSecretArgument(value) ? [] : [[name, value]];
    }),
  );
}

/** Only the validated endpoint and region. Other variables were not validated. */
function addressVariables({ endpoint, region }: StoreAddress): Readonly<Record<string, string>> {
  return { ...(endpoint !== undefined && { AWS_ENDPOINT_URL_S3: endpoint }), AWS_REGION: region };
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
