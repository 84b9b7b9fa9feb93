/**
 * Files to mutate, by module. Text catalogs and published tables are excluded, because every word would be a mutant.
 */
export const mutatedModules = {
  core: { mutate: ['src/core/**/*.ts', '!src/core/problem-codes/**'] },
  graph: { mutate: ['src/graph/**/*.ts'] },
  release: { mutate: ['src/release/**/*.ts'] },
  disk: { mutate: ['src/disk/**/*.ts'] },
};
