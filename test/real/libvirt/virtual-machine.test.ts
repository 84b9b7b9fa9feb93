import { spawnSync } from 'node:child_process';

import { expect, test } from 'vitest';

import { describeWith, pathOfProgram } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';
import { renderedSite, sites } from './sites.js';

describeWith(['virsh', 'virt-xml-validate', 'xmllint'], 'libvirt', () => {
  test.each(sites)('accepts the machine and the network of $name', async (site) => {
    const folder = scratchFolder();
    const { files, machine } = await renderedSite(site, folder);
    const schemas = files
      .filter((name) => name.endsWith('.xml'))
      .map((name) => [`machine/${name}`, name.slice(0, -4)]);
    for (const [file = '', schema = ''] of schemas) {
      const { status, stdout, stderr } = spawnSync('virt-xml-validate', [file, schema], {
        cwd: folder,
        encoding: 'utf8',
      });
      expect({ status, output: stdout + stderr }).toEqual({ status: 0, output: `${file} validates\n` });
    }
    const network = 'bridge' in site ? [] : [`net-define machine/network.xml`, `net-start ${machine}`];
    // The driver keeps its objects in memory.
    const commands = [...network, 'define machine/domain.xml', `start ${machine}`].join('; ');
    const { status, stderr } = spawnSync(
      pathOfProgram('virsh') ?? 'virsh',
      ['--connect', 'test:///default', commands],
      {
        cwd: folder,
        encoding: 'utf8',
      },
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});
