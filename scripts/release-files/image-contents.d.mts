export function imageContents(path: string): Promise<{
  readonly packages: readonly { readonly purl: string }[];
  readonly holds: (bytes: Uint8Array) => boolean;
}>;
