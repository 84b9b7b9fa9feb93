/** A labelled fact. Contains no secret and is safe to print. */
export interface SheetRow {
  /** Stable name in kebab-case. Rows of one name, such as `interface`, differ in their labels. */
  readonly name: string;
  readonly label: string;
  readonly values: readonly string[];
}

/** Title of the section that only sites of a fleet have. */
export const machineTitle = 'Machine';

/** Titles of the sections by name, in the order of the screen. */
export const sectionTitles = new Map([
  ['machine', machineTitle],
  ['cluster', 'Cluster'],
  ['disk', 'Disk'],
  ['network', 'Network'],
  ['services', 'Services'],
  ['objects', 'Added objects'],
  ['post-install', 'After installation'],
  ['boot', 'Boot'],
] as const);

export interface SheetSection {
  readonly name:
    'machine' | 'cluster' | 'disk' | 'network' | 'services' | 'objects' | 'post-install' | 'boot';
  readonly title: string;
  readonly rows: readonly SheetRow[];
}

/** The decisive values of a site, in the order of the screen. Unknown facts have no row, and empty sections are left out. */
export type Sheet = readonly SheetSection[];
