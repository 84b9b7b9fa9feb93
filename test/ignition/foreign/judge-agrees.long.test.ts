import { spawnSync } from 'node:child_process';

import { expect, it } from 'vitest';

import { compileSchema } from '../../../src/formats/json-schema.js';
import { validateIgnition } from '../../../src/ignition/foreign/validate-ignition.js';
import { withoutNulls } from '../../../src/ignition/foreign/config-entries.js';
import { describeWith, pathOfProgram } from '../../support/programs.js';
import { spread } from '../../support/spread.js';
import { describeWithSchemas, upstreamSchema } from '../../support/upstream-schemas.js';
import { everyField, mutantsOf } from './foreign-configs.js';

function pointersOf(config: unknown, minor: number, kind: 'refused' | 'unknown'): readonly string[] {
  const faults = validateIgnition(config, minor).filter((fault) => fault.kind === kind);
  return faults.map(({ path }) => path.map((step) => `/${step}`).join('')).toSorted();
}

describeWithSchemas('the checks and the published schemas of Ignition', () => {
  /** Fields that Ignition checks in code and not in its schemas. */
  const beyond = [
    /\/(?:path|mode|user|overwrite|source|compression|hash|device|level|format|target|typeGuid|guid)$/,
    /\/(?:name|url|pin|config|contents|noProxy\/\d+|httpProxy|httpsProxy|sshAuthorizedKeys\/\d+|groups\/\d+)$/,
    /\/(?:devices(?:\/\d+)?|shouldExist\/\d+|shouldNotExist\/\d+)$/,
  ];

  it.each([{ minor: 2 }, { minor: 4 }, { minor: 5 }] as const)(
    'of 3.$minor refuses what they refuse, and nothing else but for what they leave to the code',
    async ({ minor }) => {
      const check = await compileSchema(upstreamSchema(`3.${minor}`));
      const all = mutantsOf(everyField(`3.${minor}.0`));
      expect(all.length).toBeGreaterThan(3000);
      const mutants = all;
      const differences = mutants.flatMap(({ name, config }) => {
        // Ignition's code treats null as missing, whatever its schemas require.
        const theirs = check(withoutNulls(config)).map(({ pointer }) => pointer);
        const ours = pointersOf(config, minor, 'refused');
        const unseen = theirs.filter((pointer) => !ours.some((each) => each.startsWith(pointer)));
        const added = ours.filter((each) => !theirs.some((pointer) => each.startsWith(pointer)));
        const stricter = added.filter((each) => !beyond.some((pattern) => pattern.test(each)));
        return unseen.length + stricter.length === 0 ? [] : [{ name, unseen, stricter }];
      });
      expect(differences).toEqual([]);
    },
  );
});

describeWith(['ignition-validate'], 'the judge beside Ignition itself', () => {
  interface Verdict {
    readonly isRefused: boolean;
    /** Undefined if the program does not report them. */
    readonly unused: readonly string[] | undefined;
  }

  function verdictOf(config: unknown): Verdict {
    const program = pathOfProgram('ignition-validate') ?? '';
    const { stdout, stderr } = spawnSync(program, ['-'], { input: JSON.stringify(config), encoding: 'utf8' });
    const said = `${stdout}${stderr}`;
    const unused = [...said.matchAll(/^warning at \$([^,]*), line.*Unused key/gm)].map(([, path = '']) =>
      path.replaceAll('.', '/'),
    );
    return {
      isRefused: /^error|^couldn't parse/m.test(said),
      // ignition-validate reports no unused fields after a null or a value of another type.
      unused:
        /context tree|json: |couldn't parse/.test(said) || /:null/.test(JSON.stringify(config))
          ? undefined
          : unused.toSorted(),
    };
  }

  /**
   * Configs that Ignition accepts but that are always mistakes: an empty name, an empty link, a merge without a source (3.0), and
   * nulls in lists, which Ignition reads as empty strings.
   */
  const oursAlone =
    /is null$|\[null\]$|^passwd\.(?:users|groups)\b|^storage\.links\b.*target|\.(?:name|source) left out$|custom is|\.merge(?:\.0)? is \[?\{|\.merge\.0\.source is ""$/;
  /** Checks that need several fields, mostly of disks, and the grammar of headers and tang. */
  const theirsAlone = /^storage\.(?:disks|luks|filesystems)\b|httpHeaders|\bsource is ""$/;

  // Each mutant starts a program. Between the first and the last spec only fields were added.
  const specs = [{ minor: 0, isWhole: true }, { minor: 1 }, { minor: 2 }, { minor: 3, isWhole: true }];
  it.each(specs)('of 3.$minor reject the same configs and have the same fields', ({ minor, isWhole }) => {
    const all = mutantsOf(everyField(`3.${minor}.0`));
    const mutants = isWhole ? all : spread(all, 300);
    const differences = mutants.flatMap(({ name, config }) => {
      const [theirs, unknown] = [verdictOf(config), pointersOf(config, minor, 'unknown')];
      const isRefused = pointersOf(config, minor, 'refused').length > 0;
      const isNamed = (isRefused ? oursAlone : theirsAlone).test(name);
      const verdict = isRefused === theirs.isRefused || isNamed ? [] : [{ name, isRefused }];
      const fields = theirs.unused === undefined ? unknown : theirs.unused;
      return fields.join() === unknown.join() ? verdict : [...verdict, { name, fields, unknown }];
    });
    expect(differences).toEqual([]);
  });
});
