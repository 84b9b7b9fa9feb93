import { afterAll } from 'vitest';

import { removeFoldersOfFile } from './scratch.js';

afterAll(removeFoldersOfFile);
