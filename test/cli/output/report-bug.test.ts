import { expect, it, vi } from 'vitest';

import { reportBug } from '../../../src/cli/output/report-bug.js';

it('a bug claims nothing of the files that it cannot know', () => {
  const said: string[] = [];
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said.push(text.toString());
    return true;
  });
  reportBug('internal error: test');
  write.mockRestore();

  expect(said.join('')).toBe(
    'sno-install: this is a bug in sno-install, not in your input; every file is either unchanged or completely written\n' +
      'internal error: test\n',
  );
});
