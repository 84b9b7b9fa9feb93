// Provenance of the release files: an in-toto statement with SLSA provenance.
// Source: https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md and https://slsa.dev/spec/v1.0/provenance
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const locks = ['package-lock.json', 'scripts/single-file/package-lock.json'];

/** The commit of the sources; throws if they have uncommitted changes or are not in a Git repository. */
export function commitOfSources() {
  const changed = git('status', '--porcelain');
  if (changed !== '') throw new Error(`uncommitted changes:\n${changed}`);
  return git('rev-parse', 'HEAD');
}

/**
 * The provenance of `files` (SHA-256 by name): commit, packages, programs and builder. `builder` is the URI of the build's operator,
 * `source` that of the repository (git+https://…). Contains no timestamps.
 */
export function provenanceOf({ files, commit, parameters, builder, source }) {
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: Object.entries(files).map(([name, sha256]) => ({ name, digest: { sha256 } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: buildTypeOf(builder),
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

/**
 * A fragment of the builder's URI, because its operator controls that name. docs/verify-release.md documents the parameters; the number
 * changes when they do. Source: slsa.dev/spec/v1.0/provenance, buildType is a TypeURI
 */
function buildTypeOf(builder) {
  return new URL('#sno-install-release-files-v1', builder).href;
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
