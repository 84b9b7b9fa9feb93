import { problemsOf } from '../../../src/core/result.js';
import { readSiteTable } from '../../../src/fleet/table/site-table.js';
import type { Target } from '../driver/target.js';
import { fixtureTexts, keptInputs } from './fixture-texts.js';
import { canaries, plantedProxy, plantedPullSecret } from './planted.js';
import { shownProblems, wrongPlace } from './shown-problems.js';

function tableTarget(name: string, file: string, given: Pick<Target, 'form' | 'seeds' | 'words'>): Target {
  return {
    ...given,
    name,
    canaries,
    run: (input) => {
      const read = readSiteTable(file, { kind: 'file', bytes: input });
      const problems = problemsOf(read);
      const texts = { [file]: input.toString('utf8') };
      const names = read.ok ? read.value.rows.map((row) => row.name) : [];
      const isOdd = names.some((each) => !/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(each));
      return {
        isAccepted: read.ok,
        shown: shownProblems(problems, texts),
        fault:
          wrongPlace(problems, texts) ?? (isOdd ? `a site is called ${JSON.stringify(names)}` : undefined),
      };
    },
  };
}

const quotedSecret = plantedPullSecret.replaceAll('"', '""');

/** The site table as CSV, as spreadsheet programs save it. */
export const siteTableCsv = tableTarget('site-table-csv', 'sites.csv', {
  form: 'lines',
  words: [',', ';', '\t', '"', '""', '\r\n', '\ufeff', 'name', '=1+1', '-', '"\n"'],
  seeds: () => [
    ...fixtureTexts('fixtures/fleet', /sites\.csv$/),
    `name,ip,secret\nnorth-1,192.168.126.10,"${quotedSecret}"\nnorth-2,192.168.126.11,${plantedProxy}\n`,
    'name;ip;note\r\n"north-1";192.168.126.10;"a;b\r\nc"\r\n',
    `name\tip\nnorth-1\t::1\n${plantedProxy}\t2\n`,
    ...keptInputs('site-table-csv'),
  ],
});

/** The site table as a YAML list of maps. */
export const siteTableYaml = tableTarget('site-table-yaml', 'sites.yaml', {
  form: 'yaml',
  seeds: () => [
    `- name: north-1\n  ip: 192.168.126.10\n  secret: '${plantedPullSecret}'\n- name: north-2\n  proxy: ${plantedProxy}\n  ip: null\n`,
    '- {name: a, list: [1, 2], map: {b: c}}\n- &x {name: b}\n',
    '[{"name": "a", "ip": "10.0.0.1"}, {"name": "b", "ip": null}]\n',
    ...keptInputs('site-table-yaml'),
  ],
});
