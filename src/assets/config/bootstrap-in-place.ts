import { installerVariableName } from '../../config/reading/installer-arguments.js';
import { isPlaceholder } from '../../config/placeholder.js';
import { devicePathFault } from '../../config/rules/device-path.js';
import { resultOf } from '../../core/result.js';
import { pathText, type FieldPath } from '../../formats/yaml/yaml-tree.js';
import type { Finding } from '../../config/schema/rule.js';
import { defineAsset } from '../../graph/asset.js';
import { installReading, installerDisk } from './install-reading.js';
import { snoReading } from './sno-config.js';

/**
 * The installation disk; undefined if rootDeviceHints describe it. Checks that exactly one of both is set (rule 41) or the environment
 * variable, even if the configs have other errors, so that one run reports every problem. Problems: config/bootstrap-in-place, config/given-twice.
 */
export const bootstrapInPlace = defineAsset({
  name: 'config/bootstrap-in-place',
  needs: { install: installReading, sno: snoReading, variable: installerDisk },
  tryMake: ({ install: { draft }, sno, variable }) => {
    const disk = draft?.config.bootstrapInPlace?.installationDisk;
    const hints = sno.input.rootDeviceHints;
    const [hasDisk, hasHints] = [disk !== undefined, hints !== undefined];
    const isHintsFaulty = !sno.isSound('rootDeviceHints');
    // A value with an error may be the one to remove.
    const isUnfilled = [disk, ...Object.values(hints ?? {})].some(
      (value) => typeof value === 'string' && isPlaceholder(value),
    );
    const found =
      draft !== undefined && hasDisk && hasHints && !isUnfilled
        ? [...draft.judge([twice('bootstrapInPlace')]), ...sno.judge([twice('rootDeviceHints')])]
        : hasDisk || hasHints || isHintsFaulty || variable !== undefined
          ? []
          : (draft?.judge([missing]) ?? []);
    const ofVariable =
      variable === undefined || isUnfilled || devicePathFault('the disk', variable) !== undefined
        ? []
        : [
            ...(hasDisk && disk !== variable ? (draft?.judge([alsoInVariable(diskPath)]) ?? []) : []),
            ...(hasHints ? sno.judge([alsoInVariable(['rootDeviceHints'])]) : []),
          ];
    const named = variable === undefined ? undefined : { installationDisk: variable };
    return resultOf(draft?.config.bootstrapInPlace ?? named, [...found, ...ofVariable]);
  },
});

const missing: Finding = {
  code: 'config/bootstrap-in-place',
  path: ['bootstrapInPlace'],
  message: 'bootstrapInPlace is missing: it names the disk to install to',
  hint: 'add "bootstrapInPlace:" and below it "  installationDisk: /dev/disk/by-id/…", or describe the disk in rootDeviceHints of sno-config.yaml',
};

const diskPath: FieldPath = ['bootstrapInPlace', 'installationDisk'];

function alsoInVariable(path: FieldPath): Finding {
  return {
    code: 'config/given-twice',
    path,
    message: `${pathText(path)} and ${installerVariableName} name different disks`,
    hint: 'unset the variable, or remove the field',
  };
}

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
