import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { mayBeSecretArgument } from '../../core/secrets.js';
import type { Variables } from '../../disk/environment.js';

/** Bucket and prefix of an object store. */
export interface StoreAddress {
  /** Path-style URL of the bucket, without a trailing slash. */
  readonly bucketUrl: string;
  readonly region: string;
  /** As configured, without a trailing slash; absent for the default endpoint of the region. */
  readonly endpoint?: string;
  /** URL of the STS API, for web identity. */
  readonly stsUrl: string;
  /** Prefix of object names, without slashes at either end; may be empty. */
  readonly prefix: string;
}

/** Source: docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html */
const bucketForm = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/** Characters that need no escaping in any store or URL. */
const prefixForm = /^[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*$/;

/**
 * Parses `s3://bucket/prefix`. Endpoint and region come from the standard variables AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL_STS, AWS_ENDPOINT_URL, AWS_REGION and
 * AWS_DEFAULT_REGION (docs.aws.amazon.com/sdkref/latest/guide/settings-reference.html). Problems: store/address.
 */
export function storeAddress(
  store: string,
  variables: Variables,
  option: '--store' | '--index' = '--store',
): Result<StoreAddress> {
  const [, bucket = '', rest = ''] = /^s3:\/\/([^/]*)(?:\/(.*))?$/.exec(store) ?? [];
  const prefix = rest.replace(/\/$/, '');
  const isPrefix = prefix === '' || (prefixForm.test(prefix) && !/(?:^|\/)\.\.?(?:\/|$)/.test(prefix));
  if (!bucketForm.test(bucket) || !isPrefix || mayBeSecretArgument(`${bucket}/${prefix}`)) {
    const hint =
      'write s3://bucket/prefix with letters, digits, ".", "_" and "-"; set credentials in environment variables';
    return failure(problem('store/address', `${option} is not a valid bucket address`, { hint }));
  }
  const region = given(variables, 'AWS_REGION', 'AWS_DEFAULT_REGION') ?? 'us-east-1';
  if (!/^[a-z0-9-]{1,64}$/.test(region))
    return faultOf('AWS_REGION', 'is not a valid region such as eu-central-1');
  const named = given(variables, 'AWS_ENDPOINT_URL_S3', 'AWS_ENDPOINT_URL');
  const endpoint = named === undefined ? undefined : originOf(named);
  if (named !== undefined && endpoint === undefined)
    return faultOf('AWS_ENDPOINT_URL', 'is not an http or https URL without credentials and query');
  const namedSts = given(variables, 'AWS_ENDPOINT_URL_STS');
  const sts = originOf(namedSts ?? given(variables, 'AWS_ENDPOINT_URL') ?? '');
  if (namedSts !== undefined && sts === undefined)
    return faultOf('AWS_ENDPOINT_URL_STS', 'is not an http or https URL without credentials and query');
  const url = endpoint ?? `https://s3.${region}.amazonaws.com`;
  return success({
    bucketUrl: `${url}/${bucket}`,
    region,
    // MinIO and Ceph serve STS at the endpoint of S3.
    stsUrl: `${sts ?? (isAmazon(url) ? `https://sts.${region}.amazonaws.com` : url)}/`,
    prefix,
    ...(endpoint !== undefined && { endpoint }),
  });
}

function isAmazon(url: string): boolean {
  return new URL(url).hostname.endsWith('.amazonaws.com');
}

function given(variables: Variables, ...names: readonly string[]): string | undefined {
  return names.map((name) => variables[name]).find((value) => value !== undefined && value !== '');
}

/** A URL without a trailing slash. Undefined if it contains parts that may be secret. */
function originOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, username, password, search, hash, origin, pathname } = new URL(text);
  if (!/^https?:$/.test(protocol) || `${username}${password}${search}${hash}` !== '') return undefined;
  return `${origin}${pathname}`.replace(/\/+$/, '');
}

/** Does not quote the value, which may be a secret meant for another variable. */
function faultOf(name: string, fault: string): Result<never> {
  return failure(problem('store/address', `${name} ${fault}`, { hint: `correct the variable ${name}` }));
}
