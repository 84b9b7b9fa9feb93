// Where the files of a release come from: a statement of in-toto with the provenance of SLSA.
// Source: https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md and https://slsa.dev/spec/v1.0/provenance
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const locks = ['package-lock.json', 'scripts/single-file/package-lock.json'];

/** The commit of the sources; throws where they are other than it says, or under no version control. */
export function commitOfSources() {
  const changed = git('status', '--porcelain');
  if (changed !== '') throw new Error(`what is built is not what is committed:\n${changed}`);
  return git('rev-parse', 'HEAD');
}

/**
 * What was made (`files`: SHA-256 by name), of which commit, with which packages and programs, by whom: `builder` is the URI of who runs the build,
 * `source` that of the repository (git+https://…). No time is in it.
 */
export function provenanceOf({ files, commit, parameters, builder, source }) {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: Object.entries(files).map(([name, sha256]) => ({ name, digest: { sha256 } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        // What the parameters mean is said there; the page is in the package.
        buildType: `https://unpkg.com/sno-install@${version}/docs/verify-release.md`,
        externalParameters: parameters,
        resolvedDependencies: [
          {
            name: 'sources',
            ...(source === undefined ? {} : { uri: source }),
            digest: { gitCommit: commit },
          },
          ...locks.map((name) => ({ name, digest: { sha256: sha256Of(name) } })),
          { name: 'Node.js', uri: `pkg:generic/node@${process.versions.node}` },
          { name: 'npm', uri: `pkg:npm/npm@${npmVersion()}` },
        ],
      },
      runDetails: { builder: { id: builder } },
    },
  };
}

function sha256Of(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

function npmVersion() {
  return spawnSync('npm', ['--version'], { encoding: 'utf8' }).stdout.trim();
}

function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args.join(' ')} failed: ${stderr}`);
  return stdout.trim();
}
