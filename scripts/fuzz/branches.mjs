import { parseSync } from 'rolldown/experimental';

/** Code that records executed branches: one byte per branch, and the number of branches executed so far. */
export const branchCounter = `const __branches = (globalThis.__branches ??= { ran: new Uint8Array(1 << 20), count: 0 });
const __branch = (at) => { if (__branches.ran[at] === 0) { __branches.ran[at] = 1; __branches.count += 1; } };`;

/**
 * A rolldown plugin that instruments every branch in `src/`. A branch that has run before costs one call; unlike with V8's coverage,
 * nothing must be collected after each input.
 */
export function markBranches() {
  let next = 0;
  return {
    name: 'mark-branches',
    transform(code, id) {
      if (!/\/src\/.*\.ts$/.test(id) || /\.generated\.ts$/.test(id)) return null;
      const marks = marksOf(parseSync(id, code).program, () => (next += 1));
      return { code: withMarks(code, marks), map: null };
    },
  };
}

/** Texts to insert, by offset. */
function marksOf(program, number) {
  const marks = [];
  const statement = ({ start, end, type }) => {
    if (type === 'BlockStatement') marks.push({ at: start + 1, text: `__branch(${number()});` });
    else marks.push({ at: start, text: `{__branch(${number()});` }, { at: end, text: '}' });
  };
  const expression = ({ start, end }) =>
    marks.push({ at: start, text: `(__branch(${number()}),` }, { at: end, text: ')' });
  visit(program, (node) => {
    switch (node.type) {
      case 'FunctionDeclaration':
      case 'FunctionExpression':
        if (node.body) statement(node.body);
        break;
      case 'ArrowFunctionExpression':
        if (node.body.type === 'BlockStatement') statement(node.body);
        else expression(node.body);
        break;
      case 'IfStatement':
        statement(node.consequent);
        if (node.alternate && node.alternate.type !== 'IfStatement') statement(node.alternate);
        break;
      case 'ForStatement':
      case 'ForOfStatement':
      case 'ForInStatement':
      case 'WhileStatement':
        statement(node.body);
        break;
      case 'CatchClause':
        statement(node.body);
        break;
      case 'SwitchCase':
        if (node.consequent.length > 0)
          marks.push({ at: node.consequent[0].start, text: `__branch(${number()});` });
        break;
      case 'ConditionalExpression':
        expression(node.consequent);
        expression(node.alternate);
        break;
      case 'LogicalExpression':
        expression(node.right);
    }
  });
  return marks;
}

function visit(node, enter) {
  if (Array.isArray(node)) {
    for (const each of node) visit(each, enter);
  } else if (node !== null && typeof node === 'object') {
    if (typeof node.type === 'string') enter(node);
    for (const [name, child] of Object.entries(node)) if (!typeOnly.has(name)) visit(child, enter);
  }
}

/** Syntax nodes that only contain types. */
const typeOnly = new Set([
  'typeAnnotation',
  'typeParameters',
  'typeArguments',
  'returnType',
  'superTypeArguments',
]);

/** At the same offset, closing marks come before opening ones, and the inner closing mark comes first. */
function withMarks(code, marks) {
  const isEnd = ({ text }) => text === ')' || text === '}';
  const sorted = marks
    .map((mark, index) => ({ ...mark, index }))
    .sort(
      (left, right) =>
        left.at - right.at || Number(isEnd(right)) - Number(isEnd(left)) || left.index - right.index,
    );
  let [text, from] = ['', 0];
  for (const { at, text: mark } of sorted) {
    text += code.slice(from, at) + mark;
    from = at;
  }
  return text + code.slice(from);
}
