import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { githubAnnotations } from '../../../src/cli/output/formats/github.js';
import { junitReport } from '../../../src/cli/output/formats/junit.js';
import { sarifLog } from '../../../src/cli/output/formats/sarif.js';
import type { Problem } from '../../../src/core/problem.js';
import { problemCatalog } from '../../../src/core/problem-codes/catalog.js';
import { snoInProcess } from '../../support/in-process.js';
import { scratchFolder } from '../../support/scratch.js';

const replicas: Problem = {
  code: 'config/replicas',
  severity: 'error',
  message: '100% <wrong>, "3": expected 1',
  at: { file: 'my sité/install-config.yaml', path: 'controlPlane.replicas', line: 11, col: 13, length: 1 },
  hint: 'write 1',
};
const missing: Problem = {
  code: 'config/file-missing',
  severity: 'error',
  message: 'install-config.yaml does not exist',
  at: { file: 'b,c:d/install-config.yaml' },
};
const disk: Problem = {
  code: 'config/installation-disk-name',
  severity: 'warning',
  message: 'an escape \u001b[31m',
};

describe('problems for programs that show them', () => {
  it('as workflow commands of GitHub', () => {
    expect(githubAnnotations([replicas, missing, disk])).toBe(
      '::error file=my sité/install-config.yaml,line=11,col=13,endColumn=14,title=config/replicas::100%25 <wrong>, "3": expected 1%0Ahint: write 1\n' +
        '::error file=b%2Cc%3Ad/install-config.yaml,title=config/file-missing::install-config.yaml does not exist\n' +
        '::warning title=config/installation-disk-name::an escape \u001b[31m\n',
    );
  });

  it('as SARIF', () => {
    const { fault, why, fix } = problemCatalog['config/replicas'];
    expect(JSON.parse(sarifLog([replicas], '1.2.3'))).toEqual({
      $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json',
      version: '2.1.0',
      runs: [
        {
          tool: {
            driver: {
              name: 'sno-install',
              version: '1.2.3',
              rules: [
                {
                  id: 'config/replicas',
                  shortDescription: { text: fault },
                  fullDescription: { text: why },
                  help: { text: fix },
                  defaultConfiguration: { level: 'error' },
                },
              ],
            },
          },
          columnKind: 'utf16CodeUnits',
          results: [
            {
              ruleId: 'config/replicas',
              ruleIndex: 0,
              level: 'error',
              message: { text: '100% <wrong>, "3": expected 1\nhint: write 1' },
              locations: [
                {
                  physicalLocation: {
                    artifactLocation: { uri: 'my%20sit%C3%A9/install-config.yaml' },
                    region: { startLine: 11, startColumn: 13, endColumn: 14 },
                  },
                },
              ],
            },
          ],
        },
      ],
    });
  });

  it('as SARIF, with the example of the code in its help', () => {
    const { fix, example } = problemCatalog['config/installation-disk-name'];
    expect(sarifLog([disk], '1.2.3')).toContain(JSON.stringify(`${fix}\n\n${example}`));
  });

  it('as JUnit, a suite for each directory', () => {
    const directories = [
      { dir: 'a', problems: [replicas, disk] },
      { dir: 'b', problems: [] },
    ];
    expect(junitReport(directories)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="a" tests="2" failures="1" errors="0" skipped="0">
    <testcase classname="a" name="my sité/install-config.yaml">
      <failure type="config/replicas" message="100% &lt;wrong&gt;, &quot;3&quot;: expected 1">error[config/replicas]: 100% &lt;wrong&gt;, &quot;3&quot;: expected 1
  --&gt; my sité/install-config.yaml:11:13 (controlPlane.replicas)
   = hint: write 1</failure>
    </testcase>
    <testcase classname="a" name="a">
      <system-out>warning[config/installation-disk-name]: an escape ·[31m</system-out>
    </testcase>
  </testsuite>
  <testsuite name="b" tests="1" failures="0" errors="0" skipped="0">
    <testcase classname="b" name="b"/>
  </testsuite>
</testsuites>
`);
  });
});

describe('validate of several directories', () => {
  /** A folder with `good`, which has the minimal config, and `bad`, whose config has faults. */
  const sites = (): string => {
    const cwd = scratchFolder();
    for (const name of ['good', 'bad']) mkdirSync(join(cwd, name));
    copyFileSync('fixtures/configs/minimal/install-config.yaml', join(cwd, 'good/install-config.yaml'));
    copyFileSync('fixtures/readme/mistakes.yaml', join(cwd, 'bad/install-config.yaml'));
    return cwd;
  };

  it('shows the problems of each, named from here, and a line for each', async () => {
    const { code, stdout, stderr } = await snoInProcess(['validate', 'good', 'bad'], { cwd: sites() });
    expect([code, stdout]).toEqual([1, 'good: no problems found\nbad: 2 errors, 1 warning\n']);
    expect(stderr).toContain('\n  --> bad/install-config.yaml:11:13 (controlPlane.replicas)\n');
  });

  it.each([
    { format: 'github', start: '::error file=bad/install-config.yaml,line=11,' },
    { format: 'sarif', start: '{\n  "$schema"' },
    { format: 'junit', start: '<?xml' },
  ])('as $format, on stdout alone', async ({ format, start: begins }) => {
    const { code, stdout, stderr } = await snoInProcess(['validate', 'bad', '--output', format], {
      cwd: sites(),
    });
    expect([code, stderr, stdout.slice(0, begins.length)]).toEqual([1, '', begins]);
  });

  it('ends with 0 where all are sound', async () => {
    expect(await snoInProcess(['validate', 'good', 'good'], { cwd: sites() })).toMatchObject({
      code: 0,
      stderr: '',
    });
  });
});
