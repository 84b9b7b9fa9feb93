import { checkConfirmation, notConfirmed, type ConfirmedSites } from '../../../fleet/reinstall/index.js';
import { success, type Result } from '../../../core/result.js';
import { promptForValues } from '../../configs/prompts.js';
import type { GlobalOptions } from '../../options.js';

/** Checks `--confirm`, or asks on a terminal for the names. Problems: reinstall/not-confirmed. */
export async function confirmReinstall(
  options: GlobalOptions & { readonly confirm?: string },
  sites: ConfirmedSites,
): Promise<Result<void>> {
  if (options.confirm !== undefined) return checkConfirmation(options.confirm, sites);
  const { answers } = await promptForValues<{ readonly confirm?: string }>(
    {},
    [
      {
        option: 'confirm',
        text: `This destroys the clusters. Type the names to go on (${sites.needed.join(',')})`,
        accept: (confirm) => {
          const checked = checkConfirmation(confirm, sites);
          return checked.ok ? success({ confirm }) : checked;
        },
      },
    ],
    options,
  );
  return answers.confirm === undefined
    ? notConfirmed('the reinstallation is not confirmed', sites.needed)
    : success(undefined);
}
