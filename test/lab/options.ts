/** Command line options of the lab. The lab's tests use the defaults. */
export interface LabOptions {
  /** Minor release of the payload: 18 for 4.18. */
  readonly minor: number;
  readonly render: 'Installer' | 'Release';
  /** 1: only the live system. 2: also the installed node. */
  readonly phase: 1 | 2;
  /** The stage that fails once. */
  readonly failAt?: string;
  /** A host name of 63 characters, and API names above 64. */
  readonly hasLongNames: boolean;
  /** Keep the machines' roots and the disk for inspection. */
  readonly keep: boolean;
  /** Folder for the timeline. */
  readonly output: string;
}

const defaultOptions: LabOptions = {
  minor: 21,
  render: 'Release',
  phase: 2,
  hasLongNames: false,
  keep: false,
  output: '.cache/lab',
};

/** Reads the options from the variable in which scripts/lab.mjs passes its command line. */
export function optionsOf(variables: NodeJS.ProcessEnv): LabOptions {
  const text = variables['SNO_LAB_OPTIONS'];
  const given = text === undefined ? {} : (JSON.parse(text) as Partial<LabOptions>);
  return { ...defaultOptions, ...given };
}
