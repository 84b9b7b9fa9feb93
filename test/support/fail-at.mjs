// Preloaded into the command: the FAIL_RENAME-th rename and all after it fail as if a permission had just been taken away.
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
