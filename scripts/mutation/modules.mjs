/**
 * The modules whose tests are tested, by name: the files that are changed. Left out are catalogs of texts and published tables, of which
 * each word would be a place.
 */
export const mutatedModules = {
  core: { mutate: ['src/core/**/*.ts', '!src/core/problem-codes/**'] },
  graph: { mutate: ['src/graph/**/*.ts'] },
  release: { mutate: ['src/release/**/*.ts'] },
  disk: { mutate: ['src/disk/**/*.ts'] },
};
