import { isPlaceholder } from '../../config/placeholder.js';
import { resultOf } from '../../core/result.js';
import type { Finding } from '../../config/schema/rule.js';
import { defineAsset } from '../../graph/asset.js';
import { installReading } from './install-reading.js';
import { snoReading } from './sno-config.js';

/**
 * The installation disk; undefined if rootDeviceHints describe it. Checks that exactly one of both is set (rule 41), even if the configs
 * have other errors, so that one run reports every problem. Problems: config/bootstrap-in-place, config/given-twice.
 */
export const bootstrapInPlace = defineAsset({
  name: 'config/bootstrap-in-place',
  needs: { install: installReading, sno: snoReading },
  tryMake: ({ install: { draft }, sno }) => {
    const disk = draft?.config.bootstrapInPlace?.installationDisk;
    const hints = sno.input.rootDeviceHints;
    const [hasDisk, hasHints] = [disk !== undefined, hints !== undefined];
    const isHintsFaulty = !sno.isSound('rootDeviceHints');
    // A placeholder has an error already, and may be the one to remove.
    const isUnfilled = [disk, ...Object.values(hints ?? {})].some(
      (value) => typeof value === 'string' && isPlaceholder(value),
    );
    const found =
      draft !== undefined && hasDisk && hasHints && !isUnfilled
        ? [...draft.judge([twice('bootstrapInPlace')]), ...sno.judge([twice('rootDeviceHints')])]
        : hasDisk || hasHints || isHintsFaulty
          ? []
          : (draft?.judge([missing]) ?? []);
    return resultOf(draft?.config.bootstrapInPlace, found);
  },
});

const missing: Finding = {
  code: 'config/bootstrap-in-place',
  path: ['bootstrapInPlace'],
  message: 'bootstrapInPlace is missing: it names the disk to install to',
  hint: 'add "bootstrapInPlace:" and below it "  installationDisk: /dev/disk/by-id/…", or describe the disk in rootDeviceHints of sno-config.yaml',
};

/** Reported at both places, because either may be the unintended one. */
function twice(field: 'bootstrapInPlace' | 'rootDeviceHints'): Finding {
  return {
    code: 'config/given-twice',
    path: [field],
    target: 'key',
    message:
      'the disk is set by bootstrapInPlace in install-config.yaml and by rootDeviceHints in sno-config.yaml',
    hint: 'remove one of them',
  };
}
