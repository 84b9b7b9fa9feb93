/** A file of the bundle, with the modules that stand in it by their paths. */
interface Chunk {
  readonly modules: Readonly<Record<string, { readonly renderedLength: number }>>;
}

export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly folder: string;
}

export function bundledPackages(chunks: readonly Chunk[]): readonly BundledPackage[];
export function importsBetween(
  packages: readonly BundledPackage[],
  imports: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, readonly string[]>;
