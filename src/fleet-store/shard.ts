import { problem } from '../core/problem.js';
import { failure, success, type Result } from '../core/result.js';
import type { ReadFleet } from '../fleet/judge-fleet.js';

/** A part of the sites of a fleet. */
export interface Shard {
  /** From 0 on. */
  readonly index: number;
  readonly shards: number;
}

/** Reads `INDEX/NUMBER`. Problems: store/shard. */
export function parseShard(text: string): Result<Shard> {
  const [, index, shards] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? [];
  const shard = { index: Number(index), shards: Number(shards) };
  if (index !== undefined && shard.index < shard.shards) return success(shard);
  const message = '--shard is INDEX/NUMBER, the index from 0 on and below the number';
  return failure(problem('store/shard', message, { hint: 'write "--shard 0/8" for the first of eight' }));
}

/** The same fleet with the sites of a shard: every so many lines of the table, from that of its index on. It may have none. */
export function shardOf(opened: ReadFleet, { index, shards }: Shard): ReadFleet {
  const own = new Set(opened.table.rows.filter((_, line) => line % shards === index));
  return { ...opened, rows: opened.rows.filter((row) => own.has(row)) };
}
