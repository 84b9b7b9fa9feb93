import { mayBeSecretArgument } from '../../core/secrets.js';
import { receiptKind, type Receipt } from './receipt.js';
import { isInsidePath } from '../inside-path.js';
import {
  countShape,
  listShape,
  objectShape,
  recordShape,
  textShape,
  timeShape,
  type Shape,
  type ShapeFault,
} from '../state/state-shape.js';

const hash = textShape('64 hexadecimal digits', (value) => /^[0-9a-f]{64}$/.test(value));
/** Text that is printed in reports. `create` writes no possible secrets to these fields. */
const printed = textShape(
  'a short text that is not a secret',
  (value) => value.length <= 1024 && !/\p{Cc}/u.test(value) && !mayBeSecretArgument(value),
);
const path = textShape('a path below the folder of the receipt', isReceiptPath);

/** Whether a receipt can list a file under this path. */
export function isReceiptPath(value: string): boolean {
  return isInsidePath(value) && value.length <= 1024 && !/[\\\p{Cc}]/u.test(value);
}

function only(value: string): Shape {
  return textShape(`"${value}"`, (given) => given === value);
}

const input: Shape = (value, at) => {
  const kind = ['absent', 'hmacSha256'].find((name) => hasMember(value, name));
  if (kind === 'absent') return objectShape({ path, absent: truthAlone })(value, at);
  return kind === undefined
    ? objectShape({ path, bytes: countShape, sha256: hash })(value, at)
    : objectShape({ path, bytes: countShape, hmacSha256: hash, keyedBy: path })(value, at);
};

const truthAlone: Shape = (value, at) => (value === true ? undefined : { path: at, expected: 'true' });

/** URL of a boot file. It appears in scripts that everybody can read, so it must not contain credentials. */
const url = textShape(
  'an http or https URL without credentials and query',
  (value) => value.length <= 2048 && isPlainUrl(value),
);

function isPlainUrl(value: string): boolean {
  if (!URL.canParse(value) || /\p{Cc}/u.test(value)) return false;
  const { protocol, username, password, search, hash } = new URL(value);
  return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === '';
}

const medium = objectShape(
  {
    config: objectShape({ bytes: countShape, sha256: hash }, { path }),
    urls: objectShape({}, { rootfs: url, kernel: url, initrd: url, overlay: url }),
    kernelArguments: listShape(printed),
  },
  {
    liveIso: objectShape(
      { name: printed, bytes: countShape, sha256: hash },
      { path, architecture: printed, release: printed },
    ),
    payload: objectShape({ release: printed, sha256: hash }),
    keyHolder: objectShape({ path, sha256: hash }),
  },
);

const shape = objectShape(
  {
    apiVersion: only(receiptKind.apiVersion),
    kind: only(receiptKind.kind),
    program: objectShape({ name: only('sno-install'), version: printed }, { build: hash }),
    target: printed,
    cluster: objectShape({ name: printed, baseDomain: printed }, { clusterID: printed, infraID: printed }),
    issued: timeShape,
    environment: recordShape(printed, printed),
    inputs: listShape(input),
    inputFolders: listShape(path),
    sources: listShape(objectShape({ name: printed, bytes: countShape }, { sha256: hash })),
    outputs: listShape(
      objectShape({
        path,
        bytes: countShape,
        mode: textShape('four octal digits', (value) => /^[0-7]{4}$/.test(value)),
        sha256: hash,
      }),
    ),
  },
  { medium },
);

/** First fault in the shape of a receipt; undefined if it is valid. */
export function receiptFault(value: unknown): ShapeFault | undefined {
  return shape(value, '');
}

export function isReceipt(value: unknown): value is Receipt {
  return receiptFault(value) === undefined;
}

function hasMember(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name);
}
