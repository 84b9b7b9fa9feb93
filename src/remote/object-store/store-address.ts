import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { mayBeSecretArgument } from '../../core/secrets.js';
import type { Variables } from '../../disk/environment.js';

/** Where objects lie. */
export interface StoreAddress {
  /** The URL of the bucket, without a slash at its end: the bucket is a part of the path. */
  readonly bucketUrl: string;
  readonly region: string;
  /** As it was named, without a slash at its end; absent where it is that of the region. */
  readonly endpoint?: string;
  /** Before each name; empty, or without a slash at its ends. */
  readonly prefix: string;
}

/** Source: docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html */
const bucketForm = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/** Characters that every store and every URL takes as they are. */
const prefixForm = /^[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*$/;

/**
 * Reads `s3://bucket/prefix`, with endpoint and region of the standard variables AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, AWS_REGION and
 * AWS_DEFAULT_REGION (docs.aws.amazon.com/sdkref/latest/guide/settings-reference.html). Problems: store/address.
 */
export function storeAddress(store: string, variables: Variables): Result<StoreAddress> {
  const [, bucket = '', rest = ''] = /^s3:\/\/([^/]*)(?:\/(.*))?$/.exec(store) ?? [];
  const prefix = rest.replace(/\/$/, '');
  const isPrefix = prefix === '' || (prefixForm.test(prefix) && !/(?:^|\/)\.\.?(?:\/|$)/.test(prefix));
  if (!bucketForm.test(bucket) || !isPrefix || mayBeSecretArgument(`${bucket}/${prefix}`)) {
    const hint =
      'write s3://bucket/prefix, of letters, digits, ".", "_" and "-"; credentials stand in variables';
    return failure(problem('store/address', '--store is not the address of a bucket', { hint }));
  }
  const region = given(variables, 'AWS_REGION', 'AWS_DEFAULT_REGION') ?? 'us-east-1';
  if (!/^[a-z0-9-]{1,64}$/.test(region)) return faultOf('AWS_REGION', 'no region, such as eu-central-1');
  const named = given(variables, 'AWS_ENDPOINT_URL_S3', 'AWS_ENDPOINT_URL');
  const endpoint = named === undefined ? undefined : originOf(named);
  if (named !== undefined && endpoint === undefined)
    return faultOf('AWS_ENDPOINT_URL', 'no URL of http or https without login and query');
  const url = endpoint ?? `https://s3.${region}.amazonaws.com`;
  return success({
    bucketUrl: `${url}/${bucket}`,
    region,
    prefix,
    ...(endpoint !== undefined && { endpoint }),
  });
}

function given(variables: Variables, ...names: readonly string[]): string | undefined {
  return names.map((name) => variables[name]).find((value) => value !== undefined && value !== '');
}

/** A URL without what may not be shown, and without the slash at its end; undefined where there is such a thing in it. */
function originOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, username, password, search, hash, origin, pathname } = new URL(text);
  if (!/^https?:$/.test(protocol) || `${username}${password}${search}${hash}` !== '') return undefined;
  return `${origin}${pathname}`.replace(/\/+$/, '');
}

/** What stands in a variable may be a secret that belongs into another one. */
function faultOf(name: string, what: string): Result<never> {
  return failure(problem('store/address', `what ${name} says is ${what}`, { hint: `set ${name} anew` }));
}
