import { byCodeUnit } from '../../core/compare.js';
import type { Component } from '../../kube/components.js';
import type { LoopInputs } from './loop-inputs.js';
import type { Loop, LoopName } from './loop.js';
import { observedStore, createStore, type Store } from './store.js';

/** Summary of all runs of one loop. Objects by the key of `objectKey`, sorted. */
export interface LoopRecord {
  readonly component: Component;
  readonly loop: LoopName;
  readonly runs: number;
  /** Objects that it created or changed. */
  readonly produced: readonly string[];
  /** Objects that it read and did not write. */
  readonly consumed: readonly string[];
}

/** Runs loops and records the objects that each one reads and writes. */
export interface LoopRecorder {
  run(loop: Loop, store: Store, inputs: LoopInputs): Store;
  /** One record per loop, in the order of their first runs. */
  records(): readonly LoopRecord[];
  /** The loops whose last run changed something, as `<component> <loop>`. */
  lastWriters(): readonly string[];
}

interface Notes {
  readonly loop: Loop;
  runs: number;
  hasWritten: boolean;
  readonly read: Set<string>;
  readonly written: Set<string>;
}

export function loopRecorder(): LoopRecorder {
  const notes = new Map<string, Notes>();
  return {
    run: (loop, store, inputs) => {
      const note = noteOf(notes, loop);
      note.runs += 1;
      const given = observedStore(store, {
        onRead: (key) => note.read.add(key),
        onWrite: (key) => note.written.add(key),
      });
      const result = loop.run(given, inputs);
      note.hasWritten = result !== given;
      // A new store, so that accesses of the next loop are not recorded for this one.
      return note.hasWritten ? createStore(result.objects()) : store;
    },
    records: () => [...notes.values()].map(recordOf),
    lastWriters: () =>
      [...notes.values()].filter(({ hasWritten }) => hasWritten).map(({ loop }) => titleOf(loop)),
  };
}

function noteOf(notes: Map<string, Notes>, loop: Loop): Notes {
  const present = notes.get(titleOf(loop));
  if (present !== undefined) return present;
  const note: Notes = { loop, runs: 0, hasWritten: false, read: new Set(), written: new Set() };
  notes.set(titleOf(loop), note);
  return note;
}

function recordOf({ loop, runs, read, written }: Notes): LoopRecord {
  return {
    component: loop.component,
    loop: loop.name,
    runs,
    produced: [...written].toSorted(byCodeUnit),
    consumed: [...read].filter((key) => !written.has(key)).toSorted(byCodeUnit),
  };
}

function titleOf({ component, name }: Loop): string {
  return `${component} ${name}`;
}
