import { describe, expect, test } from 'vitest';

import { rememberedTexts } from '../../src/core/remembered-texts.js';

describe('rememberedTexts', () => {
  test('tells of a text what was said of it, and of another nothing', () => {
    const facts = rememberedTexts<string>(100);
    expect(facts.set('one', 'first')).toBe('first');
    expect([facts.get('one'), facts.get('on'), facts.get('')]).toEqual(['first', undefined, undefined]);
  });

  test('keeps a fact that is false', () => {
    const facts = rememberedTexts<boolean>(100);
    facts.set('one', false);
    expect(facts.get('one')).toBe(false);
  });

  test('forgets the texts that nobody asked for, not those that are asked for each time', () => {
    const facts = rememberedTexts<number>(20);
    facts.set('kept', 0);
    const seen = Array.from({ length: 50 }, (_, index) => {
      facts.set(`site-${String(index).padStart(4, '0')}`, index);
      return facts.get('kept');
    });
    expect(new Set(seen)).toEqual(new Set([0]));
    expect([facts.get('site-0000'), facts.get('site-0049')]).toEqual([undefined, 49]);
  });

  test('keeps as many characters as it is told, and as many again of what came before', () => {
    const facts = rememberedTexts<string>(8);
    const known = (): string =>
      ['aaaa', 'bbbb', 'cccc', 'dddd', 'eeee'].flatMap((each) => facts.get(each) ?? []).join('');
    for (const text of ['aaaa', 'bbbb']) facts.set(text, text[0] ?? '');
    expect(known()).toBe('ab');
    facts.set('cccc', 'c');
    facts.set('dddd', 'd');
    // Nobody asked in between: all four are held, and one more drops the two that are oldest.
    facts.set('eeee', 'e');
    expect(known()).toBe('cde');
  });

  test('does not take a text that is longer than all it may keep', () => {
    const facts = rememberedTexts<number>(5);
    facts.set('short', 1);
    expect([facts.set('longer', 2), facts.get('longer'), facts.get('short')]).toEqual([2, undefined, 1]);
  });
});
