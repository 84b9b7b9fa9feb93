import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { bundledPackages } from '../../scripts/build/bundled-packages.mjs';
import { thirdPartyNotices } from '../../scripts/build/third-party.mjs';
import { scratchFolder } from '../support/scratch.js';

/** The notices of a bundle that contains one file of one package and nothing of another. */
function noticesOf(license: string, files: Readonly<Record<string, string>>): string {
  const folder = join(scratchFolder(), 'node_modules/@scope/part');
  mkdirSync(join(folder, 'lib'), { recursive: true });
  const manifest = JSON.stringify({ name: '@scope/part', version: '1.2.3', license });
  for (const [path, text] of Object.entries({ 'package.json': manifest, ...files }))
    writeFileSync(join(folder, path), text);
  const modules = {
    [join(folder, 'lib/index.js')]: { renderedLength: 7 },
    [join(folder, '../../other/index.js')]: { renderedLength: 0 },
    'src/cli.ts': { renderedLength: 9 },
  };
  return thirdPartyNotices(bundledPackages([{ modules }]));
}

it('names a package, and gives its licence and its notice', () => {
  const notices = noticesOf('MIT', {
    LICENSE: 'Copyright of a part\r\n',
    'NOTICE.md': 'More',
    'license.js': '!',
  });

  expect(notices).toContain('\n  @scope/part 1.2.3: MIT\n');
  expect(notices.endsWith('\n\n@scope/part 1.2.3 (MIT)\n\nCopyright of a part\n\nMore\n')).toBe(true);
  expect(notices).not.toContain('other');
});

it('lists a package of two folders once, and two versions of a package separately', () => {
  const folder = scratchFolder();
  const places = [
    { at: 'node_modules/part', version: '1.2.3' },
    { at: 'node_modules/other/node_modules/part', version: '1.2.3' },
    { at: 'node_modules/third/node_modules/part', version: '1.2.4' },
  ];
  const modules = Object.fromEntries(
    places.map(({ at, version }) => {
      mkdirSync(join(folder, at), { recursive: true });
      const manifest = { name: 'part', version, license: 'MIT' };
      writeFileSync(join(folder, at, 'package.json'), JSON.stringify(manifest));
      writeFileSync(join(folder, at, 'LICENSE'), 'Copyright of a part');
      return [join(folder, at, 'index.js'), { renderedLength: 7 }];
    }),
  );
  const notices = thirdPartyNotices(bundledPackages([{ modules }]));
  expect(notices.match(/^ {2}part .*$/gm)).toEqual(['  part 1.2.3: MIT', '  part 1.2.4: MIT']);
  expect(notices.match(/^part .*$/gm)).toEqual(['part 1.2.3 (MIT)', 'part 1.2.4 (MIT)']);
});

it('rejects a license that is not in the list', () => {
  expect(() => noticesOf('UNLICENSED', { LICENSE: 'ours' })).toThrow(
    'the license of @scope/part 1.2.3 is not in the list of reviewed licenses: UNLICENSED',
  );
});

it('rejects a package without a license text', () => {
  expect(() => noticesOf('MIT', {})).toThrow('@scope/part contains no license text');
});
