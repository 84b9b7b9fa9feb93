import { describe, expect, test } from 'vitest';

import { liveSystem } from '../../../src/assets/live/live-system.js';
import { templatesFrom } from '../../../src/disk/program-files/templates.js';
import { parseNodeFilesList } from '../../../src/manifests/enrich/node-files-list.js';
import { buildConfig } from '../../../src/ignition/build-config.js';
import { serializeConfig } from '../../../src/ignition/serialize.js';
import type { LiveSystem } from '../../../src/node/live/live-system.js';
import { outputTree, knownTemplates } from '../../../src/review/output-tree.js';
import { secretFile } from '../../../src/core/output-file.js';
import { reportTokenPath } from '../../../src/config/report/report-files.js';
import { givenFiles } from '../../node/live/live-facts.js';
import { resolveAssets } from '../../support/made-from.js';

const reportField = "report: { url: 'https://boot.example.com:8443/' }\n";
const templates = templatesFrom('templates');

async function made(sno: string): Promise<LiveSystem> {
  const { valueOf } = await resolveAssets([liveSystem], { files: givenFiles({ sno }) });
  return valueOf(liveSystem);
}

function textAt({ files }: LiveSystem, path: string): string {
  return String(files.find((file) => file.path === path)?.contents);
}

describe('report', () => {
  test('adds its script, token, URL and unit with mode 0600, only if configured', async () => {
    const [plain, reporting] = [await made(''), await made(reportField)];
    const before = new Set(plain.files.map(({ path }) => path));
    const added = reporting.files.filter(({ path }) => !before.has(path));
    expect(added.map(({ path, mode }) => `${mode.toString(8)} ${path}`)).toEqual([
      '555 /usr/local/bin/sno-report.sh',
      '600 /opt/openshift/bootstrap-in-place/units/sno-report.service',
      '600 /opt/openshift/report-secret',
      '600 /opt/openshift/report-url',
    ]);
    const units = new Set(plain.units.map(({ name }) => name));
    expect(reporting.units.filter(({ name }) => !units.has(name)).map(({ name }) => name)).toEqual([
      'sno-report.service',
    ]);
    expect(textAt(reporting, '/opt/openshift/report-url')).toBe('https://boot.example.com:8443/report\n');
    expect(textAt(reporting, reportTokenPath)).toMatch(/^[A-Za-z0-9]{43}\n$/);
  });

  test('adds lines only to the list of files for the installed node', async () => {
    const [plain, reporting] = [await made(''), await made(reportField)];
    const list = '/opt/openshift/bootstrap-in-place/node-files.list';
    const changed = plain.files.filter(({ path, contents }) => textAt(reporting, path) !== String(contents));
    expect(changed.map(({ path }) => path)).toEqual([list]);
    expect(textAt(reporting, list).startsWith(textAt(plain, list))).toBe(true);
    const rows = parseNodeFilesList(textAt(reporting, list), list);
    const laid = new Set(reporting.files.map(({ path }) => path));
    const carried = rows.ok ? rows.value.map(({ source }) => source) : [];
    const ours = carried.filter((source) => source.includes('report') && !source.endsWith('report-ca.crt'));
    expect(ours).toHaveLength(4);
    for (const source of ours)
      expect(laid).toContain(
        source.replace(/^openshift/, '/opt/openshift').replace(/^bin/, '/usr/local/bin'),
      );
  });

  test('does not start after the cleanup has removed its token', async () => {
    const system = await made(reportField);
    const unit = 'sno-report.service';
    const live = String(system.units.find(({ name }) => name === unit)?.contents);
    const installed = textAt(system, `/opt/openshift/bootstrap-in-place/units/${unit}`);
    expect(live).toContain(`\nConditionPathExists=${reportTokenPath}\n`);
    expect(installed).toContain(
      `\nConditionPathExists=|${reportTokenPath}\nConditionPathExists=|/opt/sno-post-install/report-secret\n`,
    );
    expect(textAt(system, '/opt/openshift/bootstrap-in-place/node-files.list')).toMatch(
      new RegExp(`^remove .* ${reportTokenPath}$`, 'm'),
    );
  });

  test('outlives the clean-up of the installation if there are post-install manifests', async () => {
    const object = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: default}\n';
    const files = { ...givenFiles({ sno: reportField }), 'post-install/a.yaml': object };
    const { valueOf } = await resolveAssets([liveSystem], { files });
    const list = textAt(valueOf(liveSystem), '/opt/openshift/bootstrap-in-place/node-files.list');
    const rows = list.split('\n').filter((line) => /^\w.*report/.test(line));
    expect(rows.map((row) => row.split(/\s+/).toSpliced(1, 2).join(' '))).toEqual([
      'later /opt/sno-post-install/report-secret',
      'later /opt/sno-post-install/report-url',
      'later /opt/sno-post-install/report-ca.crt',
      'later /etc/systemd/system-preset/20-ignition.preset',
      'later /etc/systemd/system/multi-user.target.wants/sno-report.service',
      'later /etc/systemd/system/sno-report.service',
      'later /usr/local/bin/sno-report.sh',
    ]);
  });

  test('shows its token in no tree', async () => {
    const system = await made(reportField);
    const token = textAt(system, reportTokenPath).trim();
    const text = serializeConfig(buildConfig({ ...system, users: [] }));
    const tree = outputTree([secretFile('live.ign', text)], knownTemplates(templates));
    const shown = JSON.stringify(tree);
    expect(shown).toContain('report-secret');
    expect(shown).not.toContain(token);
  });
});
