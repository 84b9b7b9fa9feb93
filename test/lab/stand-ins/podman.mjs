// Stands in for podman on a machine of the lab. The images of the stub release hold no file system: what they would run is
// this file, a program of the machine or of the lab beside it, with the paths of the volumes turned into those of the machine.
// Options that podman does not know, images that were not pulled and flags that a tool of the release does not know are
// errors, as they are to the real one.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { note, perhapsDie, perhapsFail, state, data, keyOf } from './lab-state.mjs';
import { runContainer } from './containers.mjs';

/** Those that the scripts use. Source: podman-run(1) */
const withValue = ['entrypoint', 'env', 'log-driver', 'name', 'net', 'security-opt', 'user', 'volume'];
const alone = ['quiet', 'replace', 'rm', 'privileged'];

const [command, ...args] = process.argv.slice(2);
note('podman', process.argv.slice(2));
process.exitCode = main();

function main() {
  switch (command) {
    case 'image':
      return image(args);
    case 'pull':
      return pull(args.at(-1));
    case 'run':
      return run(args);
    case 'ps':
      return 0;
    default:
      return refuse(`unrecognized command \`podman ${command}\``);
  }
}

function image([what, ...rest]) {
  if (what === 'exists') return isHere(rest[0]) ? 0 : 1;
  if (what !== 'inspect') return refuse(`unrecognized command \`podman image ${what}\``);
  const reference = rest.at(-1);
  if (!isHere(reference)) return refuse(`${reference}: image not known`);
  const { digest, architecture } = JSON.parse(readFileSync(join(data, 'release.json'), 'utf8'));
  const name = reference.replace(/[:@].*$/, '');
  const whole = [{ Digest: digest, RepoDigests: [`${name}@${digest}`], Architecture: architecture }];
  console.log(rest.includes('{{.Architecture}}') ? architecture : JSON.stringify(whole));
  return 0;
}

function isHere(reference) {
  return existsSync(join(state, 'images', keyOf(reference)));
}

function pull(reference) {
  perhapsDie(`pull ${keyOf(reference)}`);
  if (perhapsFail(`pull-${keyOf(reference)}`))
    return refuse(`initializing source docker://${reference}: pinging container registry: i/o timeout`);
  mkdirSync(join(state, 'images'), { recursive: true });
  writeFileSync(join(state, 'images', keyOf(reference)), '');
  return 0;
}

function run(words) {
  const options = { volume: [] };
  let index = 0;
  for (; words[index]?.startsWith('--'); index += 1) {
    const [name, ...value] = words[index].slice(2).split('=');
    if (!withValue.includes(name) && !alone.includes(name)) return refuse(`unknown flag: --${name}`);
    if (name === 'volume') options.volume.push(value.join('='));
    else options[name] = value.join('=');
  }
  const reference = words[index];
  if (!isHere(reference)) {
    // podman pulls what is not here.
    const status = pull(reference);
    if (status !== 0) return status;
  }
  return runContainer({ options, key: keyOf(reference), words: words.slice(index + 1) });
}

function refuse(message) {
  console.error(`Error: ${message}`);
  return 125;
}
