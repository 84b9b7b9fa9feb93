import { runInThisContext } from 'node:vm';

import { expect, test } from 'vitest';

import { inLaunchedForm } from '../../scripts/build/launched-form.mjs';

type Launched = (
  exports: object,
  require: unknown,
  module: unknown,
  filename: string,
  dirname: string,
  importPackage: (id: string) => unknown,
) => void;

/** What a file exports that is run in its launched form; packages are their own names. */
function exportsOf(text: string): Readonly<Record<string, unknown>> {
  const exports: Record<string, unknown> = {};
  const run = runInThisContext(text) as Launched;
  run.call(exports, exports, undefined, undefined, '/dist/file.js', '/dist', (id) => `package ${id}`);
  return exports;
}

test('packages are imported by who runs the file, and nothing else is touched', () => {
  const text = inLaunchedForm(
    `const comment = "import('text')"; // import('comment')
exports.tar = import("modern-tar");
exports.both = [import('a'), () => import('@b/c')].map((each) => typeof each === 'string' ? each : each());
exports.text = comment;
exports.where = [__filename, __dirname];`,
    'file.js',
  );

  expect(exportsOf(text)).toEqual({
    tar: 'package modern-tar',
    both: ['package a', 'package @b/c'],
    text: "import('text')",
    where: ['/dist/file.js', '/dist'],
  });
});

test('it is ASCII that means the same text, on the same lines', () => {
  const code = String.raw`exports.text = "… é \\ü" + '\u2028' + '😀';
exports.template = ${'`'}a … ${'${'}"ä"} b
c${'`'};
exports.found = [/[…é]+/.exec("x…é")[0], /^😀$/u.test('😀')];
exports.größe = 1;`;
  const text = inLaunchedForm(code, 'file.js');

  expect(text).toMatch(/^[\x20-\x7e\n]*$/);
  expect(text.split('\n')).toHaveLength(code.split('\n').length + 2);
  expect(exportsOf(text)).toEqual({
    text: '… é \\ü\u2028😀',
    template: 'a … ä b\nc',
    found: ['…é', true],
    größe: 1,
  });
});

test.each([
  {
    name: 'a name that is made at run time',
    code: 'exports.x = (name) => import(name);',
    want: 'no import() of a package: import(name)',
  },
  { name: 'a file beside it', code: 'import("./x.js");', want: 'no import() of a package: import("./x.js")' },
  {
    name: 'attributes',
    code: 'import("x", { with: { type: "json" } });',
    want: 'no import() of a package: import("x", { with: { type: "json" } })',
  },
  {
    name: 'a tagged template',
    code: 'String.raw`…`;',
    want: 'a tagged template beyond ASCII: String.raw`…`',
  },
  {
    name: 'a backslash',
    code: String.raw`exports.x = "\…";`,
    want: 'a backslash before a character beyond ASCII',
  },
])('$name is refused where no other text means the same', ({ code, want }) => {
  expect(() => inLaunchedForm(code, 'file.js')).toThrow(new Error(`file.js: ${want}`));
});

test.each(['import.meta.url;', 'exports.x = ;'])('%s is no CommonJS', (code) => {
  expect(() => inLaunchedForm(code, 'file.js')).toThrow(/^file\.js: /);
});
