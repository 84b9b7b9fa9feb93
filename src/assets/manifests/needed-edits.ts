import { resultOf } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import { neededEditProblems } from '../../manifests/edits/needed-edits.js';

/**
 * The edits of files that the installation needs, judged beside configs that have errors; else each family judges its own.
 * Problems: those of `neededEditProblems`.
 */
export const neededEdits = defineAsset({
  name: 'manifests/needed-edits',
  needs: {},
  tryMake: (_, { inputs }) => resultOf(undefined, neededEditProblems(inputs)),
});
