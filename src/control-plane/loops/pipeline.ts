import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { componentNames } from '../../kube/components.js';
import type { LoopInputs } from './loop-inputs.js';
import type { ComponentLoops, Loop } from './loop.js';
import { loopRecorder, type LoopRecord, type LoopRecorder } from './loop-recorder.js';
import { withRevision, type RevisionedObjects } from './revision.js';
import type { Store } from './store.js';

/** Result of running the loops to a fixed point. */
export interface PipelineResult {
  /** All objects: seeds, objects written by loops, and their revisioned copies. */
  readonly store: Store;
  /** Objects read and written by each loop, in the order of the first runs. */
  readonly records: readonly LoopRecord[];
  /** Number of rounds of the settling loops; the last one changed nothing. */
  readonly rounds: number;
}

/** The loops of each component, in the order of the components, and the objects of each component's revision. */
export interface Pipeline {
  readonly loops: readonly ComponentLoops[];
  readonly revisioned: readonly RevisionedObjects[];
}

/**
 * The longest dependency chain takes five rounds: client-ca of kube-apiserver waits for csr-controller-ca, which waits for
 * csr-signer. Twice that leaves a margin and stops loops that undo each other.
 */
const maximumRounds = 10;

/**
 * Runs the loops over the seeds: first the loops that run once, then the settling loops of all components until nothing changes,
 * then the revisions. Problems: control-plane/unsettled.
 */
export function runPipeline(
  { loops, revisioned }: Pipeline,
  inputs: LoopInputs,
  seeds: Store,
): Result<PipelineResult> {
  const recorded = loopRecorder();
  const first = loops.flatMap(({ first }) => first);
  const settling = loops.flatMap(({ settling }) => settling);
  let store = runLoops(first, { store: seeds, inputs, recorded });
  for (let round = 1; round <= maximumRounds; round += 1) {
    const before = store;
    store = runLoops(settling, { store, inputs, recorded });
    // A loop that writes nothing returns the same store, so loops that undo each other never count as settled.
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
  readonly recorded: LoopRecorder;
}

function runLoops(loops: readonly Loop[], { store, inputs, recorded }: Running): Store {
  return loops.reduce((each, loop) => recorded.run(loop, each, inputs), store);
}

function revisionLoop(objects: RevisionedObjects): Loop {
  return {
    name: 'revision',
    component: objects.component,
    run: (store) => withRevision(store, objects, componentNames[objects.component].namespace),
  };
}
