import { type Problem, problem } from '../core/problem.js';
import { isName } from '../core/quoted.js';
import type { State } from './state/state-file.js';
import type { Environment, PayloadUse } from '../graph/context.js';

/** Environment variables by name, as in `process.env`. */
export type Variables = Readonly<Record<string, string | undefined>>;
const inputVariables = [
  'OPENSHIFT_INSTALL_RELEASE_IMAGE_OVERRIDE',
  'OPENSHIFT_INSTALL_INVOKER',
  'SOURCE_DATE_EPOCH',
  'OPENSHIFT_INSTALL_EXPERIMENTAL_BOOTSTRAP_IN_PLACE_COREOS_INSTALLER_ARGS',
] as const;

/** Names of the options that are inputs, as in messages and in the state file. */
const offlineFilesOption = '--offline-files';
const kernelArgumentsOption = '--dest-karg';
const payloadUseOption = '--payload';

/** Command line options that change the outputs. */
export interface InputOptions {
  /** A URL, or the absolute path of a folder. */
  readonly offlineFiles?: string;
  /** Each without spaces. */
  readonly kernelArguments?: readonly string[];
  /** For commands that write no outputs of a site. */
  readonly payloadUse?: PayloadUse;
}

/** Selects the inputs among the environment variables and options. An empty value counts as unset. */
export function environmentInputs(
  variables: Variables,
  { offlineFiles = '', kernelArguments = [], payloadUse }: InputOptions = {},
): Readonly<Record<string, string>> {
  const given = [
    ...inputVariables.map((name) => [name, variables[name] ?? ''] as const),
    [offlineFilesOption, offlineFiles] as const,
    [kernelArgumentsOption, kernelArguments.join(' ')] as const,
    [payloadUseOption, payloadUse ?? ''] as const,
  ];
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
}

/** Maps inputs by name to the environment that assets read. */
export function environmentOf(given: Readonly<Record<string, string>>): Environment {
  const releaseImageOverride = given['OPENSHIFT_INSTALL_RELEASE_IMAGE_OVERRIDE'];
  const invoker = given['OPENSHIFT_INSTALL_INVOKER'];
  const coreosInstallerArguments =
    given['OPENSHIFT_INSTALL_EXPERIMENTAL_BOOTSTRAP_IN_PLACE_COREOS_INSTALLER_ARGS'];
  const offlineFiles = given[offlineFilesOption];
  const kernelArguments = given[kernelArgumentsOption]?.split(' ');
  const payloadUse = given[payloadUseOption];
  return {
    ...(releaseImageOverride !== undefined && { releaseImageOverride }),
    ...(invoker !== undefined && { invoker }),
    ...(coreosInstallerArguments !== undefined && { coreosInstallerArguments }),
    ...(offlineFiles !== undefined && { offlineFiles }),
    ...(kernelArguments && { kernelArguments }),
    ...((payloadUse === 'create' || payloadUse === 'list') && { payloadUse }),
  };
}

/**
 * Warns of inputs of the last run that are no longer set, since this changes the outputs. Commands that only check inputs have no
 * options for kernel arguments. Warnings: usage/environment-changed.
 */
export function unsetVariables(
  state: State,
  given: Readonly<Record<string, string>>,
  { isCheck = false }: { readonly isCheck?: boolean } = {},
): readonly Problem[] {
  const vanished = Object.keys(state.environment).filter(
    (name) => given[name] === undefined && !(isCheck && name === kernelArgumentsOption),
  );
  return vanished.map((name) =>
    problem('usage/environment-changed', `${shownName(name)} was set in the last run but is not set now`, {
      hint: `set ${shownName(name)} again to get the same outputs`,
    }),
  );
}

/** Prints a name from the state file only if it is a valid name; anything else may be a secret. */
function shownName(name: string): string {
  if (name === kernelArgumentsOption) return '--dest-karg or --console';
  return inputVariables.some((each) => each === name) || isName(name) ? name : 'a variable';
}
