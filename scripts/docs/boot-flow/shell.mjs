// Parses the node's shell scripts as far as the documentation needs: functions, commands and words, with quotes, expansions, comments
// and here-documents. Throws on an unterminated quote or expansion instead of skipping text.
//
// A command is a list of words; a command in `$(…)` belongs to its word. A word is { raw, parts, commands }: its source text; its
// literal texts and expansions ({ raw }); its commands.

/** A script: { name, functions: name → { name, script, commands }, commands }; the last are the commands outside functions. */
export function readScript(name, text) {
  const functions = new Map();
  const rest = text.replace(functionPattern, (_, functionName, line, lines) => {
    const commands = commandsOf(line ?? lines);
    functions.set(functionName, { name: functionName, script: name, commands });
    return '';
  });
  return { name, functions, commands: commandsOf(rest) };
}

/** The body is on one line, or ends with a brace in the first column. */
const functionPattern = /^([a-z0-9_]+)\(\) \{(?:(.*)\}|\n([\s\S]*?)\n\})$/gm;

/** Value of the word, with `*` for parts that are only known at run time. */
export function textOf(word) {
  return word.parts.map((part) => (typeof part === 'string' ? part : '*')).join('');
}

/** True if the word has no quotes or expansions: a keyword or a command name. */
export function isBare(word) {
  return /^[\w-]+$/.test(word.raw);
}

/** Name and value if the word is `NAME=value`. */
export function assignmentOf(word) {
  const [, name, begin] = /^(\w+)=(.*)$/s.exec(word.parts[0]) ?? [];
  if (name === undefined) return undefined;
  const value = { ...word, raw: word.raw.slice(name.length + 1), parts: [begin, ...word.parts.slice(1)] };
  return [name, { ...value, parts: value.parts.filter((part) => part !== '') }];
}

function commandsOf(text) {
  return readCommands(text, 0, false).commands;
}

/** The commands from `start` to the end of the text, or to the parenthesis that closes a substitution. */
function readCommands(text, start, isSubstitution) {
  const commands = [[]];
  let at = start;
  for (let depth = 0; at < text.length;) {
    const [blank] = matchAt(/(?:[ \t]|\\\n|#.*)*/y, text, at);
    at += blank.length;
    if (isSubstitution && depth === 0 && text[at] === ')') return { commands: filled(commands), end: at + 1 };
    const [separator] = matchAt(/[\n;|&()]?/y, text, at);
    if (separator !== '') {
      depth += separator === '(' ? 1 : separator === ')' ? -1 : 0;
      commands.push([]);
      at += 1;
    } else if (at < text.length) {
      const { word, end } = readWord(text, at);
      commands.at(-1).push(word);
      at = /^<<\w/.test(word.raw) ? endOfHereDocument(text, end, word.raw.slice(2)) : end;
    }
  }
  if (isSubstitution) throw unended(text, start);
  return { commands: filled(commands), end: at };
}

function filled(commands) {
  return commands.filter((words) => words.length > 0);
}

function endOfHereDocument(text, start, delimiter) {
  const end = text.indexOf(`\n${delimiter}\n`, start);
  return end === -1 ? text.length : end + delimiter.length + 1;
}

function readWord(text, start) {
  const pieces = [];
  let at = start;
  // The & of >&2 is part of the word.
  while (at < text.length && (!/[\s;|&()]/.test(text[at]) || (text[at] === '&' && text[at - 1] === '>'))) {
    const piece = readPiece(text, at);
    pieces.push(piece);
    at = piece.end;
  }
  return { word: wordOf(text.slice(start, at), pieces), end: at };
}

function wordOf(raw, pieces) {
  const parts = [];
  for (const part of pieces.flatMap((piece) => piece.parts)) {
    if (typeof part === 'string' && typeof parts.at(-1) === 'string') parts.push(parts.pop() + part);
    else parts.push(part);
  }
  return { raw, parts, commands: pieces.flatMap((piece) => piece.commands) };
}

/** The next quoted text, expansion or character: { parts, commands, end }. */
function readPiece(text, at) {
  if (text[at] === '"') return readUntil('"', text, at + 1);
  const quoted = matchAt(/\$'((?:[^'\\]|\\.)*)'/y, text, at) ?? matchAt(/'([^']*)'/y, text, at);
  if (quoted !== null) return literal(quoted[1], at + quoted[0].length);
  if (text[at] === "'") throw unended(text, at);
  return readUnquoted(text, at);
}

/** Syntax with the same meaning inside and outside double quotes. */
function readUnquoted(text, at) {
  if (text[at] === '\\') return literal(text[at + 1] === '\n' ? '' : text[at + 1], at + 2);
  if (text.startsWith('$(', at)) {
    const { commands, end } = readCommands(text, at + 2, true);
    return { parts: [{ raw: text.slice(at, end) }], commands, end };
  }
  if (text.startsWith('${', at)) {
    const { commands, end } = readUntil('}', text, at + 2);
    return { parts: [{ raw: text.slice(at, end) }], commands, end };
  }
  return literal(text[at], at + 1);
}

function literal(part, end) {
  return { parts: [part], commands: [], end };
}

/** Text up to the closing character: a double quote, inside which single quotes are literal, or a brace. */
function readUntil(close, text, start) {
  const pieces = [];
  let at = start;
  while (text[at] !== close) {
    if (at >= text.length) throw unended(text, start);
    const piece = close === '"' ? readUnquoted(text, at) : readPiece(text, at);
    pieces.push(piece);
    at = piece.end;
  }
  return { ...wordOf('', pieces), end: at + 1 };
}

function matchAt(pattern, text, at) {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function unended(text, at) {
  return new Error(`internal error: unterminated construct: ${text.slice(at, at + 60)}`);
}
