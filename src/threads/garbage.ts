import { setFlagsFromString } from 'node:v8';

/**
 * Collects garbage when it is three fifths of what lives. By itself V8 waits until the heap is four times that where a program leaves much, as one
 * does that goes through thousands of sites: a fifth of its memory, for no time that could be measured. It looks at this whenever it sets the next
 * limit, so it can be said to a program that runs, and holds for threads.
 * Source: v8/src/heap/memory-controller.cc, GrowingFactor
 */
export function collectOften(): void {
  setFlagsFromString('--heap-growing-percent=60');
}

/**
 * Young garbage keeps the room that it has, some megabytes; by itself V8 doubles it up to 32 MB, with newer releases of Node.js to four
 * times that, once much of a table with thousands of lines lives on. It asks for this whenever it would widen the room, so it can be said
 * to a program that runs, and holds for threads. Node.js 20 and 22 take it back for the whole program with each thread that starts, so each says it again.
 * Source: v8/src/heap/new-spaces.cc, SemiSpaceNewSpace::Grow; v8/src/heap/heap.cc, Heap::ConfigureHeap
 */
export function keepYoungSpace(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/**
 * Each thread collects its young garbage by itself. By default V8 gives parts of that to threads of its own, which here are waited for at cores
 * that other workers use, and takes 5 ms of CPU more a site. It asks for this each time it collects, so it can be said to a program that runs.
 * Source: v8/src/heap/scavenger.cc, ScavengerCollector::NumberOfScavengeTasks
 */
export function collectAlone(): void {
  setFlagsFromString('--no-parallel-scavenge');
}
