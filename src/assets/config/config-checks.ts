import { installerVariable, joinedInstallers } from '../../config/reading/installer-arguments.js';
import { tangNetworkFindings } from '../../config/rules/sno/disk-encryption.js';
import { ignoredSettingProblems } from '../../config/ignored-settings.js';
import { resultOf } from '../../core/result.js';
import { recipientFault } from '../../formats/age.js';
import { defineAsset } from '../../graph/asset.js';
import { authority } from './authority.js';
import { bootstrapInPlace } from './bootstrap-in-place.js';
import { installConfig } from './install-config.js';
import { installReading } from './install-reading.js';
import { networkKeyfiles } from './network-keyfiles.js';
import { sitePayload } from './payload.js';
import { releaseMirrors } from './release-mirrors.js';
import { releaseSettings } from './release-settings.js';
import { release } from './release.js';
import { snoConfig, snoReading } from './sno-config.js';

/** The recipients of `state.recipients` in sno-config.yaml, to whom the state file is encrypted. Problem: state/recipient. */
const stateRecipients = defineAsset({
  name: 'config/state-recipients',
  needs: { reading: snoReading },
  tryMake: async ({ reading: { config, judge } }) => {
    const { recipients } = config.state;
    const reasons = await Promise.all(recipients.map(recipientFault));
    const findings = reasons.flatMap((reason, index) =>
      reason === undefined
        ? []
        : [
            {
              code: 'state/recipient' as const,
              path: ['state', 'recipients', index],
              message: `state.recipients[${index}] ${reason}`,
            },
          ],
    );
    return resultOf(recipients, judge(findings));
  },
});

/** Assets that validate the configs, in one module: reporting a config error loads nothing else. */
export const configAssets = [
  installConfig,
  snoConfig,
  stateRecipients,
  release,
  releaseSettings,
  networkKeyfiles,
  authority,
];

/** Warnings for settings that bootstrap in place ignores; a root of its targets. Problem: config/ignored-setting. */
export const ignoredInPlaceSettings = defineAsset({
  name: 'config/ignored-in-place',
  needs: { install: installReading, reading: snoReading },
  tryMake: ({ install: { draft }, reading }) =>
    resultOf(
      undefined,
      ignoredSettingProblems('single-node', {
        sno: reading.config,
        files: { 'install-config.yaml': draft, 'sno-config.yaml': reading },
      }),
    ),
});

/** Whether the initramfs of the installed node reaches its Tang servers; a root of bootstrap in place. Problem: config/tang-network. */
const tangNetwork = defineAsset({
  name: 'config/tang-network',
  needs: { reading: snoReading },
  tryMake: (
    { reading: { config, judge } },
    { environment: { kernelArguments = [], coreosInstallerArguments = '' } },
  ) => {
    const { settings } = installerVariable(coreosInstallerArguments);
    const { appendKernelArguments } = joinedInstallers(config.coreosInstaller, settings);
    const words = [...config.kernelArguments, ...kernelArguments, ...appendKernelArguments];
    return resultOf(undefined, judge(tangNetworkFindings(config, words)));
  },
});

/** Assets that validate the configs for bootstrap in place. */
export const inPlaceConfigAssets = [
  ...configAssets,
  ignoredInPlaceSettings,
  bootstrapInPlace,
  tangNetwork,
  releaseMirrors,
  sitePayload,
];
