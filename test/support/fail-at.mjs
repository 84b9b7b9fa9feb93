// Preloaded into the command: from the FAIL_RENAME-th call on, rename fails with a permission error.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const failAt = Number(process.env.FAIL_RENAME);
const real = fs.renameSync;
let calls = 0;

fs.renameSync = (...args) => {
  calls += 1;
  if (calls < failAt) return real(...args);
  throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
};
syncBuiltinESMExports();
