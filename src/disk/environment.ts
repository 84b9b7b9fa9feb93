/** The environment variables that are inputs, as they were given. */

import { type Problem, problem } from '../core/problem.js';
import { isName } from '../core/quoted.js';
import type { State } from './state/state-file.js';
import type { Environment } from '../graph/context.js';

/** Environment variables by name, as `process.env` has them. */
export type Variables = Readonly<Record<string, string | undefined>>;
const inputVariables = [
  'OPENSHIFT_INSTALL_RELEASE_IMAGE_OVERRIDE',
  'OPENSHIFT_INSTALL_INVOKER',
  'SOURCE_DATE_EPOCH',
] as const;

/** The options that are inputs, as messages and the state file call them. */
const offlineFilesOption = '--offline-files';
const kernelArgumentsOption = '--dest-karg';

/** What options say that are inputs. */
export interface InputOptions {
  /** A URL, or the absolute path of a folder. */
  readonly offlineFiles?: string;
  /** Words without blanks. */
  readonly kernelArguments?: readonly string[];
}

/** The inputs among the environment variables and options; an empty one counts as unset. */
export function inputsAmong(
  variables: Variables,
  { offlineFiles = '', kernelArguments = [] }: InputOptions = {},
): Readonly<Record<string, string>> {
  const given = [
    ...inputVariables.map((name) => [name, variables[name] ?? ''] as const),
    [offlineFilesOption, offlineFiles] as const,
    [kernelArgumentsOption, kernelArguments.join(' ')] as const,
  ];
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
}

/** What assets see of the environment. */
export function environmentOf(given: Readonly<Record<string, string>>): Environment {
  const releaseImageOverride = given['OPENSHIFT_INSTALL_RELEASE_IMAGE_OVERRIDE'];
  const invoker = given['OPENSHIFT_INSTALL_INVOKER'];
  const offlineFiles = given[offlineFilesOption];
  const kernelArguments = given[kernelArgumentsOption]?.split(' ');
  return {
    ...(releaseImageOverride !== undefined && { releaseImageOverride }),
    ...(invoker !== undefined && { invoker }),
    ...(offlineFiles !== undefined && { offlineFiles }),
    ...(kernelArguments && { kernelArguments }),
  };
}

/** An input that was there last time and is not now changes the outputs, most often by mistake. Warnings: usage/environment-changed. */
export function vanishedVariables(state: State, given: Readonly<Record<string, string>>): readonly Problem[] {
  const vanished = Object.keys(state.environment).filter((name) => given[name] === undefined);
  return vanished.map((name) =>
    problem('usage/environment-changed', `${shown(name)} was set in the last run and is not set now`, {
      hint: `set ${shown(name)} again to get the same outputs`,
    }),
  );
}

/** A name of the state file, unless it may be something else. */
function shown(name: string): string {
  return isName(name) ? name : 'a variable';
}
