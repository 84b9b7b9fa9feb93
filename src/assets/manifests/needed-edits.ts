import { resultOf } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import { neededEditProblems } from '../../manifests/edits/needed-edits.js';

/**
 * Edits of required manifests, checked even if the configs have errors; with valid configs each family checks its own files.
 * Problems: those of `neededEditProblems`.
 */
export const neededEdits = defineAsset({
  name: 'manifests/needed-edits',
  needs: {},
  tryMake: (_, { inputs }) => resultOf(undefined, neededEditProblems(inputs)),
});
