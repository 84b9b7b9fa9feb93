// Reads files of a branch from a Git directory, without a work tree.
import { spawnSync } from 'node:child_process';

/** A Git directory, or a clone that contains one. */
export function openCheckout(path) {
  const git = (args, input) => {
    const { status, stdout, stderr } = spawnSync('git', ['-C', path, ...args], {
      input,
      maxBuffer: 2 ** 31 - 1,
    });
    if (status !== 0) throw new Error(`git ${args.join(' ')} in ${path}: ${stderr.toString()}`);
    return stdout;
  };
  return {
    commitOf: (branch) => git(['rev-parse', branch]).toString().trim(),
    /** The blobs of a branch whose paths match, sorted by path. */
    filesOf: (branch, pattern) =>
      git(['ls-tree', '-r', '-z', branch])
        .toString()
        .split('\0')
        .filter((line) => line !== '')
        .map((line) => {
          const [facts, file] = line.split('\t');
          return { path: file, blob: facts.split(' ')[2] };
        })
        .filter(({ path: file }) => pattern.test(file))
        .sort((left, right) => (left.path < right.path ? -1 : 1)),
    /** The texts of blobs, in the same order. */
    textsOf: (blobs) => {
      if (blobs.length === 0) return [];
      const output = git(['cat-file', '--batch'], `${blobs.join('\n')}\n`);
      let offset = 0;
      return blobs.map((blob) => {
        const end = output.indexOf(10, offset);
        const [, type, size] = output.subarray(offset, end).toString().split(' ');
        if (type !== 'blob') throw new Error(`${path} has no file ${blob}`);
        offset = end + 1 + Number(size) + 1;
        return output.subarray(end + 1, end + 1 + Number(size)).toString();
      });
    },
  };
}
