import { parseAddress, parseCidr } from '../../formats/cidr.js';
import type { YamlNode } from '../../formats/yaml/yaml-tree.js';
import { isLabelValue } from '../../kube/label-syntax.js';
import { isCronSchedule } from './cron-schedule.js';

/** A required form of a value. */
export interface ValueForm {
  /** Continues "must be". */
  readonly expected: string;
  isValid(value: string | number): boolean;
}

/** Whether the value has the form. Values of another type are faults of the schema. */
export function fits(node: YamlNode, form: ValueForm): boolean {
  if (node.kind !== 'scalar') return true;
  const { value } = node;
  return typeof value === 'boolean' || value === null || form.isValid(value);
}

export function between(least: number, most: number): ValueForm {
  const expected = most === Infinity ? `at least ${least}` : `between ${least} and ${most}`;
  return {
    expected,
    isValid: (value) => typeof value !== 'number' || (value >= least && value <= most),
  };
}

export function oneOf(...values: readonly string[]): ValueForm {
  const [last = '', ...others] = values.toReversed();
  const expected = others.length === 0 ? last : `${others.toReversed().join(', ')} or ${last}`;
  return { expected, isValid: (value) => typeof value !== 'string' || values.includes(value) };
}

function matching(expected: string, isValid: (text: string) => boolean): ValueForm {
  return { expected, isValid: (value) => typeof value !== 'string' || isValid(value) };
}

/** Source of the forms of texts: k8s.io/apimachinery pkg/util/validation */
const subdomainPattern = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

export const port = between(1, 65_535);

/** Empty is accepted, because an empty name is an absent one. */
const isPortName = (text: string): boolean =>
  text === '' ||
  (text.length <= 15 &&
    /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(text) &&
    /[a-z]/.test(text) &&
    !text.includes('--'));

const portNameText = 'at most 15 lower-case letters, digits and "-" with at least one letter';

export const portName = matching(portNameText, isPortName);

export const portOrName: ValueForm = {
  expected: `a port between 1 and 65535, or a name of ${portNameText}`,
  isValid: (value) => (typeof value === 'string' ? value !== '' && isPortName(value) : port.isValid(value)),
};

/** 0 is the default, the port itself. */
export const targetPort: ValueForm = {
  ...portOrName,
  isValid: (value) => value === 0 || portOrName.isValid(value),
};

export const dnsLabel = matching(
  'at most 63 lower-case letters, digits and "-" with a letter or digit at both ends',
  (text) => text === '' || (text.length <= 63 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(text)),
);

export const subdomain = matching(
  'a name of lower-case letters, digits, "-" and "."',
  (text) => text === '' || (text.length <= 253 && subdomainPattern.test(text)),
);

/** A host name, of which the first part may be `*`. */
export const host = matching(
  'a host name of lower-case letters, digits, "-" and "."',
  (text) =>
    text === '' ||
    (text.length <= 253 &&
      parseAddress(text) === undefined &&
      subdomainPattern.test(text.replace(/^\*\./, ''))),
);

export const address = matching('an IP address', (text) => text === '' || parseAddress(text) !== undefined);

export const cidr = matching(
  'a network such as "192.168.10.0/24"',
  (text) => text.includes('/') && parseCidr(text.trim()) !== undefined,
);

export const absolutePath = matching(
  'a path that starts with "/"',
  (text) => text === '' || text.startsWith('/'),
);

export const relativePath = matching(
  'a relative path without ".."',
  (text) => !text.startsWith('/') && !text.split('/').includes('..'),
);

export const pathWithoutParents = matching('a path without ".."', (text) => !text.split('/').includes('..'));

export const countOrPercent: ValueForm = {
  expected: 'a whole number or a percentage such as "50%"',
  isValid: (value) => (typeof value === 'number' ? value >= 0 : /^\d+%$/.test(value)),
};

export const unavailable: ValueForm = {
  expected: 'a whole number or a percentage of at most 100%',
  isValid: (value) =>
    countOrPercent.isValid(value) && !(typeof value === 'string' && Number.parseInt(value, 10) > 100),
};

export const labelValue = matching(
  'at most 63 letters, digits, "-", "_" and "." with a letter or digit at both ends',
  isLabelValue,
);

export const schedule = matching(
  'a schedule of five fields such as "0 3 * * *", or one such as "@daily"',
  isCronSchedule,
);

export const groupVersion = matching(
  'a group and a version such as "apps/v1"',
  (text) => text.split('/').length <= 2,
);

/** Source: k8s.io/apiserver pkg/util/webhook ValidateWebhookURL */
export const httpsUrl = matching('an https URL without user, query and fragment', (text) =>
  /^https:\/\/[^/?#@]+(\/[^?#]*)?$/.test(text),
);

export const notEmpty = matching('set', (text) => text !== '');

/** Source: k8s.io/apimachinery pkg/util/validation IsRelaxedEnvVarName */
export const variableName = matching('a name of printable ASCII characters except "="', (text) =>
  /^[ -<>-~]+$/.test(text),
);

export const imageName = matching('without blanks at both ends', (text) => text.trim() === text);

export const controller = matching('a domain and a path such as "example.com/name"', (text) =>
  /^[^/]+\/.+$/.test(text),
);
