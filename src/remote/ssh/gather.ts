import { join } from 'node:path';

import { shownLine } from '../../analysis/redact.js';
import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { createBundleFolder, notWritable, type BundleFolder } from '../../disk/bundle/bundle-folder.js';
import { noAccess, type StateAccess } from '../../disk/state/state-access.js';
import { readExternalState, readState, stateFileName } from '../../disk/state/state-file.js';
import { elapsedText } from '../../formats/elapsed.js';
import { KeyPem } from '../../formats/keys/key-pem.js';
import type { NodeAddress } from './node-address.js';
import { remoteExit, remoteScript } from './remote-script.js';
import { runSsh, type SshEnd } from './ssh.js';

/** Node, credentials and target folder of a log bundle. */
export interface GatherRequest {
  readonly dir: string;
  /** Path of the cluster's state file, if it is not in `dir`. */
  readonly stateFile?: string;
  /** Keys for an encrypted state file. */
  readonly access?: StateAccess;
  readonly address: NodeAddress;
  /** Private keys of the user. If empty, ssh offers the key of the state file and the user's own keys. */
  readonly keyFiles: readonly string[];
  readonly timeoutMs: number;
  /** Appears in the bundle's name. */
  readonly present: Date;
  /** Aborted when the user stops the command. */
  readonly stop: AbortSignal;
}

/** The bundle in the directory. */
export interface GatheredBundle {
  readonly path: string;
  readonly bytes: number;
}

/**
 * Creates a log bundle on a node and copies it to `dir`, completely or not at all. Undefined if the user stopped it.
 * Problems: support/*, dir/*.
 */
export async function gatherBundle(request: GatherRequest): Promise<Result<GatheredBundle | undefined>> {
  const keys = request.keyFiles.length > 0 ? success([]) : await bootstrapKeys(request);
  if (!keys.ok) return keys;
  const made = createBundleFolder(request.dir);
  if (!made.ok) return made;
  const folder = made.value;
  try {
    return await fetchInto(folder, keys.value, request);
  } finally {
    folder.remove();
  }
}

/** Private keys of all algorithms accepted for user core of the live system. Empty without a state file. */
async function bootstrapKeys({
  dir,
  stateFile,
  access = noAccess,
}: GatherRequest): Promise<Result<readonly KeyPem[]>> {
  const path = stateFile ?? join(dir, stateFileName);
  const { outside } = access;
  const stored = outside ? await readExternalState(outside, access) : await readState(path, path, access);
  if (!stored.ok) return stored;
  const generatedValues = Object.entries(stored.value?.state.generatedValues ?? {});
  // Label as in assets/tls/certificates.ts, bootstrapSshKeyPair.
  return success(
    generatedValues
      .filter(([label]) => /^key\/[^/]+\/tls\/bootstrap-ssh$/.test(label))
      .map(([, pem]) => new KeyPem(pem)),
  );
}

async function fetchInto(
  folder: BundleFolder,
  keys: readonly KeyPem[],
  request: GatherRequest,
): Promise<Result<GatheredBundle | undefined>> {
  const id = request.present
    .toISOString()
    .replace(/\.\d+Z$/, '')
    .replace(/[^0-9]/g, '');
  const timeout = AbortSignal.timeout(request.timeoutMs);
  // The script on the node times out first, so that it can clean up and report the reason.
  const nodeSeconds = Math.max(1, Math.floor(request.timeoutMs / 1000) - 10);
  const end = await runSsh({
    address: request.address,
    keyFiles: [...keys.map((pem) => folder.addKey(pem)), ...request.keyFiles],
    offersOwnKeys: request.keyFiles.length === 0,
    knownHostsFile: folder.knownHostsFile,
    command: `sh -s ${id} ${nodeSeconds}`,
    input: remoteScript,
    output: folder.openArchive(),
    stop: AbortSignal.any([timeout, request.stop]),
  });
  if (request.stop.aborted) return success(undefined);
  const outcome = resultOf(end, request);
  if (!outcome.ok) return outcome;
  if (!(await folder.isWhole())) return cutOff(request);
  return folder.keepAs(`log-bundle-${id}.tar.gz`);
}

function resultOf(end: SshEnd, request: GatherRequest): Result<void> {
  switch (end.kind) {
    case 'no-program':
      return failure(
        problem('support/ssh-missing', 'ssh is not in PATH', {
          hint: 'install the OpenSSH client (openssh-client, openssh-clients)',
        }),
      );
    case 'stopped':
      return timedOut(request);
    case 'not-written':
      return notWritable(`cannot write to ${request.dir}`, end.error);
    case 'ended':
      return end.status === 255
        ? sshFailed(end.errors, request)
        : scriptResult(end.status, end.errors, request);
  }
}

/** ssh has one exit status for all its failures. Source of the text: OpenSSH sshconnect2.c, userauth */
function sshFailed(errors: string, request: GatherRequest): Result<never> {
  const { user, host } = request.address;
  if (/Permission denied \(/.test(errors)) {
    const keys =
      request.keyFiles.length > 0
        ? 'including that of --key'
        : 'including the key in the state file and your own keys';
    const message = `${host} rejected all SSH keys for user ${user}, ${keys}`;
    return failure(
      problem('support/key-refused', message, {
        hint: 'name the private key for sshKey in install-config.yaml with --key; the installed node accepts no other',
      }),
    );
  }
  const message = `cannot connect to ${host} with ssh: ${lastLine(errors) ?? 'no reason given'}`;
  return failure(
    problem('support/host-unreachable', message, {
      hint: 'check address, port and route; the machine is unreachable for some minutes while it reboots',
    }),
  );
}

function scriptResult(status: number, errors: string, request: GatherRequest): Result<void> {
  const { user, host } = request.address;
  switch (status) {
    case 0:
      return success(undefined);
    case remoteExit.noScript:
      return failure(
        problem('support/script-missing', `${host} has no installer-gather.sh`, {
          hint: 'it is removed when the installation is complete: use `oc adm must-gather` instead',
        }),
      );
    case remoteExit.noSudo: {
      const message = `${user} cannot run sudo without a password on ${host}`;
      return failure(
        problem('support/sudo-refused', message, { hint: 'gather as core: --bootstrap core@HOST' }),
      );
    }
    case remoteExit.diskFull: {
      const hint = `read the journal on the node: ssh ${user}@${host} sudo journalctl --boot`;
      return failure(
        problem('support/node-disk-full', `${host} has no disk space left for the bundle`, { hint }),
      );
    }
    case remoteExit.timedOut:
      return timedOut(request);
    default:
      return scriptFailed(host, status, lastLine(errors));
  }
}

function scriptFailed(host: string, status: number, said: string | undefined): Result<never> {
  const what = `the gather script on ${host} failed with status ${status}`;
  const message = said === undefined ? what : `${what}: ${said}`;
  const hint = 'run `/usr/local/bin/installer-gather.sh --id test` there';
  return failure(problem('support/gather-failed', message, { hint }));
}

function timedOut({ address, timeoutMs }: GatherRequest): Result<never> {
  const message = `${address.host} did not send the bundle within ${elapsedText(timeoutMs)}`;
  return failure(problem('support/gather-timeout', message, { hint: 'use a longer --timeout' }));
}

function cutOff({ address }: GatherRequest): Result<never> {
  const message = `the bundle from ${address.host} is incomplete and was deleted`;
  return failure(problem('support/bundle-cut-off', message, { hint: 'run the command again' }));
}

function lastLine(text: string): string | undefined {
  const line = text.split(/\r?\n/).findLast((each) => each.trim() !== '');
  return line === undefined ? undefined : shownLine(line);
}
