import type { NetworkFacts } from '../../assets/preflight/network-facts.js';
import type { AioOptions, GlobalOptions, PreflightOptions } from '../options.js';
import { exitCodeOf, machineReadable, report, isLogged, printProblems } from '../output/report.js';
import { runRequest } from '../request.js';
import { isError, problem } from '../../core/problem.js';
import { quoted } from '../../core/quoted.js';
import { type Result, failure, problemsOf, success } from '../../core/result.js';
import { parseAddress } from '../../formats/cidr.js';
import { parseDuration } from '../../formats/duration.js';
import type { PreflightCheck } from '../../remote/preflight/answers.js';
import { nodeDifferences } from '../../remote/preflight/node-differences.js';
import { problemsOfAnswers } from '../../remote/preflight/verdict.js';
import { look } from '../../run/run.js';
import type { IgnitionTarget } from '../../run/targets.js';
import { isData, printData } from '../output/data.js';

/** Sends the network requests that the node will send, and reports failures. */
export async function preflight(given: PreflightOptions, options: GlobalOptions & AioOptions): Promise<void> {
  const settings = parsePreflightOptions(given);
  const facts = settings.ok ? await factsOf(given.target, options) : settings;
  if (!settings.ok || !facts.ok) {
    report(options, { problems: problemsOf(facts) });
    return;
  }
  const { runQueries } = await import('../../remote/queries/run-queries.js');
  const answers = await runQueries(facts.value, { ...settings.value, present: () => new Date() });
  const proxyVariables = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].filter(
    (name) => (process.env[name] ?? process.env[name.toLowerCase()] ?? '') !== '',
  );
  const { dnsServers } = settings.value;
  const differences = nodeDifferences(facts.value, { dnsServers, proxyVariables });
  reportPreflight(options, {
    problems: [...problemsOf(facts), ...problemsOfAnswers(answers)],
    answers,
    differences,
  });
}

/** The network facts come from the configs, so the state is optional. */
const byInputs = { isStateOptional: true } as const;

async function factsOf(
  target: IgnitionTarget,
  options: GlobalOptions & AioOptions,
): Promise<Result<NetworkFacts>> {
  const { singleNodeNetworkFacts, aioNetworkFacts } = await import('../../assets/preflight/network-facts.js');
  const facts = {
    'single-node-ignition-config': singleNodeNetworkFacts,
    'aio-ignition': aioNetworkFacts,
  } satisfies Record<IgnitionTarget, typeof aioNetworkFacts>;
  return look(runRequest(target, options, byInputs), facts[target]);
}

interface PreflightResult {
  readonly problems: ReturnType<typeof problemsOfAnswers>;
  readonly answers: readonly PreflightCheck[];
  readonly differences: readonly string[];
}

/** Prints all answers, including those with problems. */
function reportPreflight(options: GlobalOptions, { problems, answers, differences }: PreflightResult): void {
  process.exitCode = exitCodeOf(problems);
  if (isData(options)) {
    const shown = {
      ok: !problems.some(isError),
      problems: problems.map((found) => machineReadable(options.dir, found)),
      answers: answers.map(shownAnswer),
      differences,
    };
    printData(options, shown);
    return;
  }
  if (isLogged(options, 'info')) process.stdout.write(answersText(answers, differences));
  printProblems(options, problems);
}

/** The parsed options. */
interface PreflightSettings {
  readonly dnsServers: readonly string[];
  readonly timeoutMs: number;
}

/** Upper limit of `--timeout`. */
const longestSeconds = 600;

interface Given {
  readonly dnsServer: readonly string[];
  readonly timeout: string;
}

/** Parses `--dns-server` and `--timeout`. Problems: usage/unknown-argument. */
function parsePreflightOptions({ dnsServer, timeout }: Given): Result<PreflightSettings> {
  const seconds = parseDuration(timeout) ?? 0;
  if (seconds < 1 || seconds > longestSeconds) {
    const message = `--timeout is ${quoted(timeout)}, expected a duration from 1s to 10m`;
    return failure(problem('usage/unknown-argument', message, { hint: 'try 30s' }));
  }
  const odd = dnsServer.find((server) => !isServer(server));
  if (odd !== undefined) {
    const message = `--dns-server is ${quoted(odd)}, expected an address`;
    return failure(
      problem('usage/unknown-argument', message, { hint: 'try 192.0.2.53, or [2001:db8::53]:53' }),
    );
  }
  return success({ dnsServers: dnsServer, timeoutMs: seconds * 1000 });
}

/** Accepts the formats of nodejs.org/api/dns.html#dnssetserversservers. */
function isServer(text: string): boolean {
  if (parseAddress(text) !== undefined) return true;
  const [, v6, v4, port] = /^(?:\[([^\]]*)\]|([^:]*)):(\d{1,5})$/.exec(text) ?? [];
  const address = parseAddress(v6 ?? v4 ?? '');
  return address?.family === (v6 === undefined ? 'IPv4' : 'IPv6') && Number(port) > 0 && Number(port) < 65536;
}

/** Omits the fields that the problem already contains. */
function shownAnswer({
  kind,
  question,
  answer,
  verdict,
  code,
}: PreflightCheck): Readonly<Record<string, unknown>> {
  return { kind, question, answer, verdict, ...(code !== undefined && { code }) };
}

const marks = { ok: 'ok', warning: 'warn', error: 'FAIL' } as const;

/** Formats all answers by topic, followed by possible differences on the node. */
function answersText(answers: readonly PreflightCheck[], differences: readonly string[]): string {
  const width = Math.max(0, ...answers.map(({ question }) => question.length));
  const groups = (['dns', 'registry', 'time'] as const).flatMap((kind) => {
    const lines = answers
      .filter((each) => each.kind === kind)
      .map(
        ({ question, answer, verdict }) =>
          `  ${marks[verdict].padEnd(4)}  ${question.padEnd(width)}  ${answer}`,
      );
    return lines.length === 0 ? [] : [titles[kind], ...lines, ''];
  });
  return [
    ...groups,
    'Results that may differ on the node',
    ...differences.map((each) => `  ${each}`),
    '',
  ].join('\n');
}

const titles = { dns: 'Name servers', registry: 'Registries', time: 'Time servers' } as const;
