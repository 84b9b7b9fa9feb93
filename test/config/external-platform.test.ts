import { expect, test } from 'vitest';

import { controlPlaneRender } from '../../src/assets/config/control-plane-render.js';
import { problemsOf } from '../../src/core/result.js';
import { resolve } from '../../src/graph/engine.js';
import { testContext } from '../support/context.js';
import { shown } from './shown.js';
import { edited, soundInstallConfig, soundSnoConfig } from './sound-config.js';

test('platform external is rendered by the release only', async () => {
  const sno = edited(soundSnoConfig, [['render: Release', 'render: Installer']]);
  const files = {
    'install-config.yaml': edited(soundInstallConfig, [['none: {}', 'external: {}']]),
    'sno-config.yaml': sno,
  };
  const found = problemsOf(await resolve([controlPlaneRender], testContext({ files })));
  expect(found.map((each) => shown(each, sno))).toEqual([
    'config/render-unavailable 9:Installer: controlPlane.render Installer is not supported with platform external | write "render: Release", or leave it out',
  ]);
});
