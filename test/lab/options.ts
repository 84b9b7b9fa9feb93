/** What a person asks of the lab; the tests of the lab use the defaults. */
export interface LabOptions {
  /** Minor release of the payload: 18 of 4.18. */
  readonly minor: number;
  readonly render: 'Installer' | 'Release';
  /** 1: the live system; 2: the installed node too. */
  readonly phase: 1 | 2;
  /** The stage that is to fail, once. */
  readonly failAt?: string;
  /** A host name of 63 characters, and API names above 64. */
  readonly hasLongNames: boolean;
  /** Leave the machines' roots and the disk for a look. */
  readonly keep: boolean;
  /** Where the timeline goes. */
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

/** The variable by which scripts/lab.mjs hands over what stood on the command line. */
export function optionsOf(variables: NodeJS.ProcessEnv): LabOptions {
  const text = variables['SNO_LAB_OPTIONS'];
  const given = text === undefined ? {} : (JSON.parse(text) as Partial<LabOptions>);
  return { ...defaultOptions, ...given };
}
