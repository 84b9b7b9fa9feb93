import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { componentNames } from '../../kube/components.js';
import type { LoopInputs } from './loop-inputs.js';
import type { ComponentLoops, Loop } from './loop.js';
import { recording, type LoopRecord, type Recording } from './recording.js';
import { revisionOf, type RevisionedObjects } from './revision.js';
import type { Store } from './store.js';

/** What running the loops gave. */
export interface Settled {
  /** Every object: of the seeds, of the loops, and their revisioned copies. */
  readonly store: Store;
  /** Which loop read and wrote which object, in the order in which they ran. */
  readonly records: readonly LoopRecord[];
  /** How many rounds the settling loops took, the last of which changed nothing. */
  readonly rounds: number;
}

/** What is run: the loops of each component in the order of the components, and what a revision of each consists of. */
export interface Pipeline {
  readonly loops: readonly ComponentLoops[];
  readonly revisioned: readonly RevisionedObjects[];
}

/**
 * The longest chain of facts between the components is five rounds long (client-ca of kube-apiserver, which waits for
 * csr-controller-ca, which waits for csr-signer); twice that leaves room, and a pair of loops that undo each other ends.
 */
const maximumRounds = 10;

/**
 * Runs the loops in order over the seeds: first those that run once, then the settling ones of all components until
 * nothing changes, then the revisions. Problems: control-plane/unsettled.
 */
export function runPipeline(
  { loops, revisioned }: Pipeline,
  inputs: LoopInputs,
  seeds: Store,
): Result<Settled> {
  const recorded = recording();
  const first = loops.flatMap(({ first }) => first);
  const settling = loops.flatMap(({ settling }) => settling);
  let store = runLoops(first, { store: seeds, inputs, recorded });
  for (let round = 1; round <= maximumRounds; round += 1) {
    const before = store;
    store = runLoops(settling, { store, inputs, recorded });
    // A loop that writes nothing gives back the store it got, so that loops which undo each other are no rest.
    if (store === before) {
      const revisions = revisioned.map(revisionLoop);
      return success({
        store: runLoops(revisions, { store, inputs, recorded }),
        records: recorded.records(),
        rounds: round,
      });
    }
  }
  return failure(
    problem(
      'control-plane/unsettled',
      `the control loops still change objects after ${maximumRounds} rounds, expected them to settle`,
      { hint: `the last changes came from: ${recorded.lastWriters().join(', ')}` },
    ),
  );
}

interface Running {
  readonly store: Store;
  readonly inputs: LoopInputs;
  readonly recorded: Recording;
}

function runLoops(loops: readonly Loop[], { store, inputs, recorded }: Running): Store {
  return loops.reduce((each, loop) => recorded.run(loop, each, inputs), store);
}

function revisionLoop(objects: RevisionedObjects): Loop {
  return {
    name: 'revision',
    component: objects.component,
    run: (store) => revisionOf(store, objects, componentNames[objects.component].namespace),
  };
}
