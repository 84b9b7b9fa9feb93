import { maskedArgument } from '../core/quoted.js';

/** Masks possible secret arguments in a text about the command line. */
export function maskSecretArguments(text: string, args: readonly string[]): string {
  return args
    .flatMap((arg) => [arg, arg.replace(/^--?[\w-]+=/, '')])
    .filter((arg) => maskedArgument(arg) !== arg)
    .toSorted((left, right) => right.length - left.length)
    .reduce((rest, arg) => rest.replaceAll(arg, '…'), text);
}
