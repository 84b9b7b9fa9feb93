/** A file of the bundle, with the modules that stand in it by their paths. */
interface Chunk {
  readonly modules: Readonly<Record<string, { readonly renderedLength: number }>>;
}

export function thirdPartyNotices(chunks: readonly Chunk[]): string;
