import type { Shard } from '../../../fleet/store/index.js';
import { problem } from '../../../core/problem.js';
import { failure, success, type Result } from '../../../core/result.js';

/** Parses a number of shards from 1 to 10000. */
export function numberOfShards(text: string): number | undefined {
  return countUpTo(text, 10_000);
}

/** Parses a number from 1 to `most`. */
export function countUpTo(text: string, most: number): number | undefined {
  return /^[1-9]\d{0,4}$/.test(text) && Number(text) <= most ? Number(text) : undefined;
}

/** Parses `INDEX/NUMBER`. Problems: store/shard. */
export function parseShard(text: string): Result<Shard> {
  const [, index, shards] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? [];
  const shard = { index: Number(index), shards: Number(shards) };
  if (index !== undefined && shard.index < shard.shards) return success(shard);
  const message = '--shard is not INDEX/NUMBER with an index from 0 to NUMBER - 1';
  return failure(problem('store/shard', message, { hint: 'use "--shard 0/8" for the first of eight' }));
}
