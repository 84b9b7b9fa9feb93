import { shownArgument } from '../core/quoted.js';

/** A text about a command line, without those of its arguments that may be secrets. */
export function withoutSecretArguments(text: string, args: readonly string[]): string {
  return args
    .flatMap((arg) => [arg, arg.replace(/^--?[\w-]+=/, '')])
    .filter((arg) => shownArgument(arg) !== arg)
    .toSorted((left, right) => right.length - left.length)
    .reduce((rest, arg) => rest.replaceAll(arg, '…'), text);
}
