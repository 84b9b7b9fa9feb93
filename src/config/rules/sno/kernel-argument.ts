import { quoted } from '../../../core/quoted.js';

/** Why a word cannot be an argument of the installed node's kernel, and what to do; undefined for one that can. */
export function kernelArgumentFault(
  argument: string,
): { readonly message: string; readonly hint?: string } | undefined {
  if (argument === '') return { message: 'a kernel argument is empty' };
  if (/\s/.test(argument)) {
    return {
      message: `kernel argument ${quoted(argument)} has a blank in it`,
      hint: 'give each argument an item of its own',
    };
  }
  // Printable ASCII without quotes and backslashes: what bootloader, rpm-ostree and shell all take as it is.
  return /^[!#-&(-[\]-~]+$/.test(argument)
    ? undefined
    : {
        message: `kernel argument ${quoted(argument)} has a character that the boot loader takes for something else`,
      };
}
