import { goDurationSeconds } from '../../formats/go-duration.js';
import { parseAddress, parseCidr } from '../../formats/cidr.js';

/**
 * The required form of a text, such as `a date such as 2026-01-31`; undefined if it is valid or the API server does not check the format.
 * Sources: k8s.io/apiextensions-apiserver pkg/apiserver/validation/formats.go, k8s.io/kube-openapi pkg/validation/strfmt
 */
export function formatFault(text: string, format: string, isGo: boolean): string | undefined {
  const rule = (isGo ? goFormats : definitionFormats)[format];
  return rule === undefined || rule.isValid(text) ? undefined : rule.expected;
}

interface Format {
  readonly expected: string;
  isValid(text: string): boolean;
}

/** Source: time.RFC3339 of Go; an empty text is no time. */
const dateTime: Format = {
  expected: 'a time such as "2026-01-31T08:00:00Z"',
  isValid: (text) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[-+]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text)),
};

const base64: Format = {
  expected: 'base64',
  isValid: (text) => {
    const plain = text.replaceAll(/[\r\n]/g, '');
    return plain.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(plain);
  },
};

const goDuration: Format = {
  expected: 'a duration such as "30s" or "1h30m"',
  isValid: (text) => goDurationSeconds(text) !== undefined,
};

/** Source: k8s.io/apimachinery pkg/api/resource ParseQuantity */
export const quantity: Format = {
  expected: 'a quantity such as "100Mi", "500m" or "2"',
  isValid: (text) =>
    /^[-+]?(\d+(\.\d*)?|\.\d+)([KMGTPE]i|[numkMGTPE]|[eE][-+]?\d+)?$/.test(text) && text !== '',
};

/** Formats of Go types. */
const goFormats: Readonly<Record<string, Format>> = {
  'date-time': dateTime,
  'micro-time': {
    expected: 'a time with six digits of a second such as "2026-01-31T08:00:00.000000Z"',
    isValid: (text) => dateTime.isValid(text) && /\.\d{6}/.test(text),
  },
  byte: base64,
  'go-duration': goDuration,
  quantity,
};

/** Formats of CustomResourceDefinitions. */
const definitionFormats: Readonly<Record<string, Format>> = {
  'date-time': dateTime,
  date: {
    expected: 'a date such as "2026-01-31"',
    isValid: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)),
  },
  byte: base64,
  duration: {
    expected: 'a duration such as "30s" or "1h30m"',
    isValid: (text) =>
      goDuration.isValid(text) ||
      /^\d+ ?(ns|us|µs|ms|s|m|h|d|w|hours?|days?|weeks?|minutes?|seconds?|secs?|mins?|hrs?)$/.test(text),
  },
  ipv4: { expected: 'an IPv4 address', isValid: (text) => parseAddress(text)?.family === 'IPv4' },
  ipv6: {
    expected: 'an IPv6 address',
    isValid: (text) => text.includes(':') && parseAddress(text) !== undefined,
  },
  cidr: { expected: 'a network such as "192.168.10.0/24"', isValid: (text) => parseCidr(text) !== undefined },
  mac: {
    expected: 'a MAC address',
    isValid: (text) =>
      /^([\dA-Fa-f]{2}([:-])(?:[\dA-Fa-f]{2}\2){4,6}[\dA-Fa-f]{2}|([\dA-Fa-f]{4}\.){2,3}[\dA-Fa-f]{4})$/.test(
        text,
      ),
  },
  uuid: {
    expected: 'a UUID',
    isValid: (text) => /^[\dA-Fa-f]{8}-?([\dA-Fa-f]{4}-?){3}[\dA-Fa-f]{12}$/.test(text),
  },
};
