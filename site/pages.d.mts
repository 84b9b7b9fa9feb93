type Pages = readonly (readonly [path: string, name: string])[];

/** The kinds of pages in their order, each with groups of paths and names. */
export const kinds: readonly {
  readonly name: string;
  readonly groups: readonly {
    readonly name: string;
    /** Pages in the sidebar. */
    readonly pages: Pages;
    readonly more: Pages;
  }[];
}[];
