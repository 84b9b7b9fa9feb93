interface Source {
  readonly repository: string;
  readonly files: RegExp;
}

export const payload: readonly (Source & { readonly sets?: readonly string[] })[];
export const operators: readonly (Source & { readonly branches: Readonly<Record<string, string>> })[];
