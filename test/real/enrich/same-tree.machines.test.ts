import { expect, test } from 'vitest';

import { describeWith } from '../../support/programs.js';
import { describeWithIgnition } from '../../support/real-ignition.js';
import { describeWithButane } from './real-butane.js';
import { expectSameTree, shapes } from './same-tree.js';

describeWith(
  ['bash', 'jq', 'tar'],
  "the node laid from our config is the node laid from its own step's",
  () => {
    describeWithIgnition('by the real Ignition', () => {
      describeWithButane('translated by the real Butane', (butane) => {
        test.each(shapes)('$name', (shape) => {
          expect(butane()).not.toBe('');
          expectSameTree(shape, butane());
        });
      });
    });
  },
);
