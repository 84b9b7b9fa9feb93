import type { NetworkFacts } from '../../assets/preflight/network-facts.js';
import { isError } from '../../core/problem.js';
import { problemsOf, type Result } from '../../core/result.js';
import type { Answered } from '../../preflight/answers.js';
import { askingOf } from '../../preflight/asking-options.js';
import { answersText, shownAnswer } from '../../preflight/render-answers.js';
import { seenDifferently } from '../../preflight/seen-differently.js';
import { problemsOfAnswers } from '../../preflight/verdict.js';
import { look } from '../../run.js';
import type { AioOptions, GlobalOptions, PreflightOptions } from '../../command-line/options.js';
import { exitCodeOf, forPrograms, report, shows, tellProblems } from '../../command-line/output/report.js';
import { requestOf } from '../../command-line/request.js';

/** Asks the network what the node will ask it, and says what would fail. */
export async function preflight(given: PreflightOptions, options: GlobalOptions & AioOptions): Promise<void> {
  const asking = askingOf(given);
  const facts = asking.ok ? await factsOf(given.target, options) : asking;
  if (!asking.ok || !facts.ok) {
    report(options, { problems: problemsOf(facts) });
    return;
  }
  const { askEverything } = await import('../../asking/ask-everything.js');
  const answers = await askEverything(facts.value, { ...asking.value, present: () => new Date() });
  const proxyVariables = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].filter(
    (name) => (process.env[name] ?? process.env[name.toLowerCase()] ?? '') !== '',
  );
  const { dnsServers } = asking.value;
  const differences = seenDifferently(facts.value, { dnsServers, proxyVariables });
  tell(options, { problems: [...problemsOf(facts), ...problemsOfAnswers(answers)], answers, differences });
}

/** The network is told by the configs alone. */
const byInputs = { isStateOptional: true } as const;

async function factsOf(target: string, options: GlobalOptions & AioOptions): Promise<Result<NetworkFacts>> {
  const { singleNodeNetworkFacts, aioNetworkFacts } = await import('../../assets/preflight/network-facts.js');
  return target === 'aio-ignition'
    ? look(requestOf('aio-ignition', options, byInputs), aioNetworkFacts)
    : look(requestOf('single-node-ignition-config', options, byInputs), singleNodeNetworkFacts);
}

interface Told {
  readonly problems: ReturnType<typeof problemsOfAnswers>;
  readonly answers: readonly Answered[];
  readonly differences: readonly string[];
}

/** All answers are told, whatever is wrong with some. */
function tell(options: GlobalOptions, { problems, answers, differences }: Told): void {
  process.exitCode = exitCodeOf(problems);
  if (options.output === 'json') {
    const shown = {
      ok: !problems.some(isError),
      problems: problems.map((found) => forPrograms(options.dir, found)),
      answers: answers.map(shownAnswer),
      differences,
    };
    process.stdout.write(`${JSON.stringify(shown, null, 2)}\n`);
    return;
  }
  if (shows(options, 'info')) process.stdout.write(answersText(answers, differences));
  tellProblems(options, problems);
}
