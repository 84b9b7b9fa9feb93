import { mayBeSecret } from '../core/secrets.js';

/** An argument as messages repeat it: `…` where it may be a secret, which people paste behind the wrong word. */
export function shownArgument(argument: string): string {
  return mayBeSecret(argument) ? '…' : argument;
}

/** A text about a command line, without those of its arguments that may be secrets. */
export function withoutSecretArguments(text: string, args: readonly string[]): string {
  return args
    .flatMap((arg) => [arg, arg.replace(/^--?[\w-]+=/, '')])
    .filter((arg) => shownArgument(arg) !== arg)
    .toSorted((left, right) => right.length - left.length)
    .reduce((rest, arg) => rest.replaceAll(arg, '…'), text);
}
