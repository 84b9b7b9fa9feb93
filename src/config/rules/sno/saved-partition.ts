import { quoted } from '../../../core/quoted.js';

interface Fault {
  readonly message: string;
  readonly hint?: string;
}

/** Labels of the partitions in the image. Source: coreos/coreos-assembler, osbuild manifests of all architectures */
const imageLabels = ['BIOS-BOOT', 'EFI-SYSTEM', 'PowerPC-PReP-boot', 'boot', 'reserved', 'root'];

/** Number of the last partition in the image. Source: the same; root is 4. */
const lastImagePartition = 4;

/**
 * The fault of a label pattern. Only patterns that the crate `glob` of coreos-installer and bash match in the same way are allowed:
 * without backslash, `**` and parentheses. A comma would end the pattern: coreos-installer splits the option there.
 * Source: coreos-installer src/cmdline/install.rs
 */
export function partitionLabelFault(pattern: string): Fault | undefined {
  if (pattern === '')
    return { message: 'a label pattern is empty, which matches every partition without a label' };
  if (pattern.includes(','))
    return {
      message: `label pattern ${quoted(pattern)} contains a comma`,
      hint: 'write each pattern as a separate item, and "?" for a comma in a label',
    };
  const expression = globExpression(pattern);
  if (expression === undefined)
    return {
      message: `label pattern ${quoted(pattern)} is not a glob that the installation supports`,
      hint: 'write letters, digits and . _ : + # @ -, "*" for any text, "?" for one character and [a-z] for one of several',
    };
  const label = imageLabels.find((each) => expression.test(each));
  return label === undefined
    ? undefined
    : {
        message: `label pattern ${quoted(pattern)} matches ${label}, a partition of the operating system`,
        hint: 'write a pattern that matches only your partitions; the installation replaces those of the operating system',
      };
}

/** Undefined for a pattern that is not supported. */
function globExpression(pattern: string): RegExp | undefined {
  const parts = pattern.match(/\[!?[A-Za-z0-9 ._:+#@-]+\]|\*(?!\*)|\?|[A-Za-z0-9 ._:+#@-]/g) ?? [];
  if (parts.join('') !== pattern) return undefined;
  if (parts.some((part) => /^\[.*(.)-(.).*\]$/.test(part) && hasEmptyRange(part))) return undefined;
  const sources = parts.map((part) => {
    if (part === '*') return '.*';
    if (part === '?') return '.';
    return part.startsWith('[')
      ? part.replace('[!', '[^').replaceAll(/[.+]/g, '\\$&')
      : part.replace(/[.+]/, '\\$&');
  });
  return new RegExp(`^${sources.join('')}$`, 'u');
}

/** A range whose start is after its end is an error for `RegExp` and matches nothing in a glob. */
function hasEmptyRange(part: string): boolean {
  const set = part.replace(/^\[!?/, '').slice(0, -1);
  return [...set.matchAll(/(.)-(.)/g)].some(([, first = '', last = '']) => first > last);
}

/** The fault of a partition index or range. Source: coreos-installer src/install.rs, parse_partition_filters */
export function partitionIndexFault(text: string): Fault | undefined {
  const [, start, , end] = /^(\d{0,4})(-(\d{0,4}))?$/.exec(text) ?? [];
  const hint = 'write a number such as 5, or a range such as 5-7 or 5-';
  if (start === undefined || text === '' || text === '-')
    return { message: `partition index ${quoted(text)} is neither a number nor a range`, hint };
  const last = text.includes('-') ? Number(end === '' ? Infinity : end) : Number(start);
  if (start === '' || Number(start) <= lastImagePartition)
    return {
      message: `partition index ${text} includes partitions 1 to ${lastImagePartition}, which belong to the operating system`,
      hint,
    };
  return Number(start) > last
    ? { message: `partition index ${text} ends before it begins`, hint }
    : undefined;
}
