// The form in which scripts/build/loader.cjs loads a file of the bundle: one function, in ASCII.
import { parseSync, Visitor } from 'rolldown/utils';

/** What scripts/build/loader.cjs gives, in this order. */
const parameters = ['exports', 'require', 'module', '__filename', '__dirname', 'importPackage'];

export function inLaunchedForm(code, name) {
  const parsed = parseSync(name, code, { sourceType: 'commonjs' });
  const [error] = [...parsed.errors, ...refusals(code, parsed)];
  if (error !== undefined) throw new Error(`${name}: ${error.message}`);
  return `(function (${parameters.join(', ')}) {${inAscii(withPackagesImported(code, parsed))}\n})\n`;
}

function refusals(code, { module, program }) {
  const imports = module.dynamicImports.map(({ start, end }) => code.slice(start, end));
  return [
    ...imports
      .filter((text) => !/^import\((["'])[^./"'][^"']*\1\)$/.test(text))
      .map((text) => `no import() of a package: ${text}`),
    ...(/(?<!\\)(?:\\\\)*\\[\u0080-\uffff]/.test(code)
      ? ['a backslash before a character beyond ASCII']
      : []),
    ...taggedTemplates(code, program)
      .filter(isBeyondAscii)
      .map((text) => `a tagged template beyond ASCII: ${text}`),
  ].map((message) => ({ message }));
}

function isBeyondAscii(text) {
  return /[\u0080-\uffff]/.test(text);
}

function taggedTemplates(code, program) {
  const texts = [];
  new Visitor({ TaggedTemplateExpression: ({ start, end }) => texts.push(code.slice(start, end)) }).visit(
    program,
  );
  return texts;
}

/**
 * `import('package')` becomes `importPackage('package')`: V8 asks Node.js for the loader of a script that did not come by `require`, and
 * Node.js 20 warns on stderr when it is told to use its own.
 */
function withPackagesImported(code, { module }) {
  const starts = module.dynamicImports.map(({ start }) => start);
  const [head, ...calls] = [0, ...starts].map((start, index) => code.slice(start, starts[index]));
  return [head, ...calls.map((call) => call.replace('import', 'importPackage'))].join('');
}

/** Text in ASCII is read as it is, and held in half the memory. */
function inAscii(code) {
  return code.replaceAll(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
