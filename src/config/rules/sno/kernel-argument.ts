import { quoted } from '../../../core/quoted.js';

/** The fault of a kernel argument for the installed node, with a hint; undefined if it is valid. */
export function kernelArgumentFault(
  argument: string,
): { readonly message: string; readonly hint?: string } | undefined {
  if (argument === '') return { message: 'a kernel argument is empty' };
  if (/\s/.test(argument)) {
    return {
      message: `kernel argument ${quoted(argument)} contains a space`,
      hint: 'write each argument as a separate item',
    };
  }
  // Printable ASCII without quotes and backslashes, which boot loader, rpm-ostree and shell all read unchanged.
  return /^[!#-&(-[\]-~]+$/.test(argument)
    ? undefined
    : {
        message: `kernel argument ${quoted(argument)} contains a character that has a special meaning for the boot loader`,
      };
}
