/** A file of the bundle, with its modules by path. */
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
