// Installs a site in a virtual machine of this host, checks the cluster and writes a report (docs/acceptance.md).
//
//   npm run acceptance -- SITE --out DIR --live-iso FILE --reboot
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { release as kernel } from 'node:os';
import { join } from 'node:path';

import { realClock } from '../.cache/modules/cli/real-clock.js';
import { sha256 } from '../.cache/modules/formats/sha256.js';
import { parseOptions, usage } from './acceptance/options.mjs';
import { planOf } from './acceptance/plan.mjs';
import { outputOf, sno } from './acceptance/programs.mjs';
import { readReport, reportFormat, resultOf, writeReport } from './acceptance/report.mjs';
import { redactor } from './acceptance/secrets.mjs';
import { recordsOf, runSteps } from './acceptance/steps.mjs';

try {
  const options = parseOptions(process.argv.slice(2));
  if (options.help) console.log(usage);
  else process.exitCode = await accept(options);
} catch (error) {
  console.error(`${error.message}\n--help lists the options`);
  process.exitCode = 2;
}

async function accept(options) {
  const { site, out, resume } = options;
  const inputs = sha256(configText(site));
  const earlier = openFolder(out, { resume, inputs });
  const redact = redactor(site);
  const steps = planOf(options);
  const records = recordsOf(steps, earlier?.steps);
  const report = {
    format: reportFormat,
    release: earlier?.release ?? (await releaseOf(site)),
    inputs,
    versions: await versions(),
    options: { reboot: String(options.reboot), worker: String(options.worker) },
  };
  let path = '';
  const onChange = () => {
    path = writeReport(out, { ...report, result: resultOf(records), steps: records }, redact);
  };
  await runSteps(steps, {
    records,
    onChange: announced(records, onChange, redact),
    ...realClock,
  });
  onChange();
  console.log(`${resultOf(records)}: ${path}`);
  return resultOf(records) === 'passed' ? 0 : 1;
}

/** Prints each step when it starts and ends. */
function announced(records, onChange, redact) {
  const lineOf = ({ title, state }) => `${title}${state === 'not run' ? ' …' : `: ${state}`}`;
  const shown = new Set(records.filter(({ state }) => state === 'passed').map(lineOf));
  return () => {
    for (const { startedAt, findings, ...record } of records) {
      const line = lineOf(record);
      if (startedAt === undefined || shown.has(line)) continue;
      shown.add(line);
      console.log(redact([line, ...findings.map((text) => `  ${text}`)].join('\n')));
    }
    onChange();
  };
}

/** Creates the folder. Returns the report of the run to resume. */
function openFolder(out, { resume, inputs }) {
  const isUsed = existsSync(out) && readdirSync(out).length > 0;
  if (!resume) {
    if (isUsed) throw new Error(`${out} is not empty: name another folder, or continue with --resume`);
    mkdirSync(out, { recursive: true, mode: 0o700 });
    return undefined;
  }
  const earlier = isUsed ? readReport(out) : undefined;
  if (earlier === undefined) throw new Error(`${out} contains no report to resume`);
  if (earlier.inputs !== inputs)
    throw new Error(`the config has changed since the run in ${out}: name another folder`);
  return earlier;
}

function configText(site) {
  const names = ['install-config.yaml', 'sno-config.yaml'].map((name) => join(site, name));
  if (!existsSync(names[0])) throw new Error(`${names[0]} does not exist`);
  return names
    .filter(existsSync)
    .map((path) => readFileSync(path, 'utf8'))
    .join('\u0000');
}

/** The version of the release in the sheet; `unknown` if the config is invalid. */
async function releaseOf(site) {
  const { result } = await sno(['inspect', site]);
  const rows = (result.sheet ?? []).flatMap((section) => section.rows);
  const [image = ''] = rows.find(({ name }) => name === 'release')?.values ?? [];
  return (
    /\b(\d+\.\d+\.\d+[\w.+-]*?)(?:-(?:x86_64|amd64|aarch64|arm64|multi))?$/.exec(image)?.[1] ?? 'unknown'
  );
}

async function versions() {
  const { result } = await sno(['version']);
  const versionOf = (program) =>
    outputOf(program, ['--version']).then(
      (text) => text.trim().split('\n')[0],
      () => 'not installed',
    );
  return {
    'sno-install': String(result.version ?? 'unknown'),
    node: process.version,
    kernel: kernel(),
    virsh: await versionOf('virsh'),
    'qemu-img': await versionOf('qemu-img'),
  };
}
