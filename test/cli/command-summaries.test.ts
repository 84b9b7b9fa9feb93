import { expect, it } from 'vitest';

import { buildProgram } from '../../src/cli/program.js';
import { leafCommands, wordsOf } from '../support/leaf-commands.js';

const program = buildProgram(() => undefined);

/** A sentence that fits into one line of the help. */
const sentence = /^[A-Z][^\n]{5,55}\.$/;

it('every command has a summary in the help', () => {
  const without = program.commands.filter((command) => !sentence.test(command.summary()));
  expect(without.map((command) => command.name())).toEqual([]);
});

it('every subcommand has a description', () => {
  const without = leafCommands(program).filter(
    (command) => !/^[A-Z].*\.$/s.test(command.description().trim()),
  );
  expect(without.map((command) => wordsOf(command).join(' '))).toEqual([]);
});
