// Follows a node script from its first command through the functions and scripts that it calls and lists events: stages, waits,
// time limits of programs, console notices. Conditional calls are followed like all others.
import { assignmentOf, isBare, textOf } from './shell.mjs';

/**
 * The events of a script, in the order of its commands; `scripts` are all scripts of the node by name, parsed by readScript.
 * An event has a `kind`; its `script`, `function` and `stage`; `site`, the same object for the same position in a script; and by kind:
 *
 * - stage: `name`, `hasMarker`, `isOptional`
 * - wait: `what`, `atMost` and `every` in seconds, `advice` for the console
 * - limit: `program` and `atMost`, a number with a unit as in timeout(1)
 * - notice: `name` of the file, `text`, and `saidBy`, the command whose output is the text
 */
export function traceOf(scriptName, scripts) {
  const found = [];
  followScript(scriptName, { scripts, found, params: [], path: [] });
  return found;
}

/** `params` are the arguments of the function, `path` the chain of callers. */
function followScript(name, context) {
  const program = programOf(name, context.scripts);
  follow(program.at(-1).commands, {
    ...context,
    script: name,
    function: 'main',
    functions: new Map(program.flatMap((script) => [...script.functions])),
    variables: new Map(program.flatMap(({ commands }) => commands.flatMap(assignmentsIn))),
  });
}

/** The scripts that a script sources, followed by the script itself. */
function programOf(name, scripts) {
  const script = scripts.get(name);
  const sourced = script.commands.filter(([{ raw }]) => raw === 'source').flatMap((words) => words.slice(1));
  const names = sourced.map(fileNameOf).filter((each) => scripts.has(each));
  return [...names.flatMap((each) => programOf(each, scripts)), script];
}

function fileNameOf(word) {
  return textOf(word).split('/').at(-1);
}

function follow(commands, context) {
  for (const words of commands) {
    for (const word of words) follow(word.commands, context);
    const { assignments, argv } = partsOf(words);
    const values = assignments.map(([name, value]) => [name, resolved(value, context)]);
    if (argv.length === 0) for (const [name, value] of values) context.variables.set(name, value);
    else followCommand(argv, { ...context, variables: new Map([...context.variables, ...values]) });
  }
}

const keywords = ['if', 'then', 'else', 'elif', 'while', 'until', 'do', '!', '{'];
const declarations = ['local', 'export', 'readonly', 'declare'];

/** Assignments and arguments of a command. */
function partsOf(words) {
  const first = words.findIndex(({ raw }) => !keywords.includes(raw));
  const own = first === -1 ? [] : words.slice(first);
  const isDeclaration = declarations.includes(own[0]?.raw);
  const head = isDeclaration ? -1 : own.findIndex((word) => assignmentOf(word) === undefined);
  const argv = head === -1 ? [] : own.slice(head);
  return { assignments: assignmentsIn(own.slice(0, own.length - argv.length)), argv };
}

function assignmentsIn(words) {
  return words.map(assignmentOf).filter((each) => each !== undefined);
}

/** Handlers for the functions of the node's library that the documentation describes. Other commands are only searched for calls. */
const followers = new Map([
  ['run_stage', (argv, context) => followStage(argv, context, { hasMarker: true, isOptional: false })],
  ['try_stage', (argv, context) => followStage(argv, context, { hasMarker: true, isOptional: true })],
  ['run_always', (argv, context) => followStage(argv, context, { hasMarker: false, isOptional: false })],
  ['wait_until', followWait],
  ['pull_image', followPull],
  ['timeout', followTimeout],
  ['announce_issue', followNotice],
  ['keep', followKeep],
]);

function followCommand(argv, context) {
  const follower = followers.get(argv[0]?.raw) ?? followCalls;
  follower(argv, context);
}

/** Any word may name a function or a script, because many commands run their arguments. */
function followCalls(argv, context) {
  if (argv[0]?.raw === 'source') return;
  for (const [index, word] of argv.entries()) {
    const called = isBare(word)
      ? context.functions.get(word.raw)
      : context.scripts.get(fileNameOf(resolved(word, context)));
    if (called === undefined || context.path.includes(called)) continue;
    const params = argv.slice(index + 1).map((each) => resolved(each, context));
    const inside = { ...context, params, path: [...context.path, called] };
    if (isBare(word)) followFunction(called, inside);
    else followScript(called.name, inside);
  }
}

/** A function sees the variables of its callers. */
function followFunction({ name, script, commands }, context) {
  follow(commands, { ...context, script, function: name, variables: new Map(context.variables) });
}

function followStage([head, name, ...command], context, traits) {
  const stage = textOf(name);
  note('stage', head, context, { name: stage, ...traits });
  followCommand(command, { ...context, stage });
}

function followWait([, what, limit, interval, ...command], context) {
  const said = resolved(what, context);
  const [atMost, every] = [limit, interval].map((word) => valueOf(word, context));
  // `await` in the post-reboot script writes its fourth argument to the console.
  const advice = context.function === 'await' ? textOf(context.params[3]) : undefined;
  note('wait', said, context, { what: textOf(said), atMost, every, advice });
  followCommand(command, context);
}

function followPull(argv, context) {
  note('wait', argv[0], context, { what: 'pulling *', atMost: valueOf(argv[2], context) });
  followCalls(argv, context);
}

function followTimeout([head, ...args], context) {
  const [limit, ...command] = args.slice(args.findIndex(({ raw }) => !raw.startsWith('-')));
  const end = command.findIndex(({ raw }) => /^-|[<>]/.test(raw));
  const program = command.slice(0, end === -1 ? undefined : end).map(textOf);
  const atMost = valueOf(limit, context);
  note('limit', head, context, { program: program.join(' ').replace(/^\*\//, ''), atMost });
  followCommand(command, context);
}

function followNotice([head, name, text], context) {
  const said = resolved(text, context);
  const saidBy = textOf(said) === '*' ? said.commands[0]?.[0].raw : undefined;
  note('notice', head, context, { name: valueOf(name, context), text: textOf(said), saidBy });
}

/** The only notice that is not an error is written directly. */
function followKeep(argv, context) {
  const [head, file, text] = argv;
  const name = /\/(\w+)\.issue$/.exec(textOf(resolved(file, context)))?.[1];
  if (name !== undefined) note('notice', head, context, { name, text: textOf(resolved(text, context)) });
}

function note(kind, site, { found, script, stage, function: name }, facts) {
  found.push({ kind, site, script, function: name, stage, ...facts });
}

/** The value of a word that consists of a single variable or parameter with a known value; otherwise the word itself. */
function resolved(word, { params, variables }) {
  const [part, ...more] = word.parts;
  const [, name, fallback] = /^\$\{(\w+)(?::[-?](.*))?\}$/.exec(more.length === 0 ? part?.raw : '') ?? [];
  if (name === undefined) return word;
  const given = /^\d+$/.test(name) ? params[Number(name) - 1] : variables.get(name);
  return given ?? (fallback ? { ...word, parts: [fallback] } : word);
}

function valueOf(word, context) {
  const { parts } = resolved(word, context);
  if (parts.some((part) => typeof part !== 'string')) {
    throw new Error(
      `internal error: unknown value of ${word.raw} in ${context.function} of ${context.script}`,
    );
  }
  return parts.join('');
}
