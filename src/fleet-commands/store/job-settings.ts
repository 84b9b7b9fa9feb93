import { problem, type Problem } from '../../core/problem.js';
import { mayBeSecretArgument } from '../../core/secrets.js';
import { failure, problemsOf, success, type Result } from '../../core/result.js';
import { inputsAmong } from '../../effects/environment.js';
import type { JobOrder } from '../../fleet-store/job/job-objects.js';
import { storeAddress, type StoreAddress } from '../../object-store/store-address.js';
import type { JobOptions } from '../../fleet-command-line/fleet-options.js';
import { storeAuthorities } from './store-authorities.js';

/** What options and environment say of a Job. Problems: job/setting, store/address, usage/unreadable-file. */
export function jobSettings(options: JobOptions): Result<Omit<JobOrder, 'files' | 'secretVariables'>> {
  const { name, namespace, image, store, identitySecret } = options;
  const [shards, jobs] = [numberOf(options.shards, 10_000), numberOf(options.jobs ?? '1', 64)];
  const address = storeAddress(store, process.env);
  const isPlain = address.ok && address.value.bucketUrl.startsWith('http:');
  const authorities = isPlain ? success({}) : storeAuthorities(process.env);
  const faults: readonly Problem[] = [
    ...(shards === undefined ? [fault('--shards', 'a number of pods from 1 to 10000')] : []),
    ...(jobs === undefined ? [fault('--jobs', 'a number of threads of a pod from 1 to 64')] : []),
    ...(isName(name, 40) ? [] : [fault('--name', 'up to 40 lower-case letters, digits and "-"')]),
    ...(namespace === undefined || isName(namespace, 63)
      ? []
      : [fault('--namespace', 'the name of a namespace')]),
    ...(identitySecret === undefined || isName(identitySecret, 63)
      ? []
      : [fault('--identity-secret', 'the name of a Secret')]),
    ...(isImage(image) ? [] : [fault('--image', 'the reference of an image')]),
  ];
  const problems = [...faults, ...problemsOf(address), ...problemsOf(authorities)];
  if (shards === undefined || jobs === undefined || !address.ok || !authorities.ok || problems.length > 0)
    return failure(...problems);
  // Options are inputs as well, and have no variable.
  const inputs = Object.entries(inputsAmong(process.env)).filter(([key]) => !key.startsWith('-'));
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

/** The endpoint and the region that were judged, and no other variable: what it says was never looked at. */
function addressVariables({ endpoint, region }: StoreAddress): Readonly<Record<string, string>> {
  return { ...(endpoint !== undefined && { AWS_ENDPOINT_URL_S3: endpoint }), AWS_REGION: region };
}

function numberOf(text: string, most: number): number | undefined {
  return /^[1-9]\d{0,4}$/.test(text) && Number(text) <= most ? Number(text) : undefined;
}

/** Source: RFC 1123 §2.1, as Kubernetes has it */
function isName(text: string, most: number): boolean {
  return text.length <= most && /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(text);
}

function isImage(text: string): boolean {
  return /^[a-z0-9][A-Za-z0-9._:/@-]{0,255}$/.test(text) && !mayBeSecretArgument(text);
}

/** What was typed may be a secret, and is not repeated. */
function fault(option: string, expected: string): Problem {
  return problem('job/setting', `${option} is not ${expected}`);
}
