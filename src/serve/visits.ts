import type { Stretch } from '../formats/disk-image.js';
import { coveredBytes, covering, united, type Coverage } from './coverage.js';
import type { ServedFile } from './answers/served-file.js';

/** How far the machine of a site has got, as far as the server sees it. */
export type Phase = 'waiting' | 'reading' | 'fetched';

/** What the server saw of a site since it started. */
export interface Visit {
  readonly phase: Phase;
  /** Of the medium, bytes that were given out at least once, and all that there are. */
  readonly givenBytes: number;
  readonly ofBytes: number;
  /** What was answered last, and when; absent before the first request. */
  readonly last?: { readonly what: string; readonly at: Date };
}

/** What is seen of sites, by their name. */
export interface Visits {
  of(site: string): Visit;
  /** That something was asked for. */
  onRequest(site: string, what: string, at: Date): void;
  /** That a stretch of its medium was given out. */
  onPiece(site: string, piece: Stretch, medium: Pick<ServedFile, 'bytes' | 'etag'>): void;
  /** Whether all of the medium was given out. */
  isComplete(site: string): boolean;
  /** Whether it would be, with these stretches besides. */
  wouldComplete(site: string, pieces: Coverage, medium: Pick<ServedFile, 'bytes' | 'etag'>): boolean;
}

interface Seen {
  readonly coverage: Coverage;
  readonly ofBytes: number;
  readonly etag: string;
  readonly last?: { readonly what: string; readonly at: Date };
}

const nothing: Seen = { coverage: [], ofBytes: 0, etag: '' };

/** Of another medium than before, nothing was given out before. */
function withPieces(
  before: Seen,
  pieces: Coverage,
  { bytes, etag }: Pick<ServedFile, 'bytes' | 'etag'>,
): Seen {
  const known = before.etag === etag ? before.coverage : [];
  const [only] = pieces;
  const coverage = only && pieces.length === 1 ? covering(known, only) : united([known, pieces]);
  return { ...before, ofBytes: bytes, etag, coverage };
}

/** Nothing seen yet; `onChange` is told the site of which there is more. */
export function visits(onChange: (site: string) => void = () => undefined): Visits {
  const seen = new Map<string, Seen>();
  const set = (site: string, next: Seen): void => {
    seen.set(site, next);
    onChange(site);
  };
  const isWhole = ({ coverage, ofBytes }: Seen): boolean => ofBytes > 0 && coveredBytes(coverage) === ofBytes;
  return {
    of: (site) => {
      const each = seen.get(site) ?? nothing;
      const { coverage, ofBytes, last } = each;
      const phase = isWhole(each) ? 'fetched' : coverage.length > 0 ? 'reading' : 'waiting';
      return { phase, givenBytes: coveredBytes(coverage), ofBytes, ...(last && { last }) };
    },
    onRequest: (site, what, at) => {
      set(site, { ...(seen.get(site) ?? nothing), last: { what, at } });
    },
    onPiece: (site, piece, medium) => {
      set(site, withPieces(seen.get(site) ?? nothing, [piece], medium));
    },
    wouldComplete: (site, pieces, medium) => isWhole(withPieces(seen.get(site) ?? nothing, pieces, medium)),
    isComplete: (site) => isWhole(seen.get(site) ?? nothing),
  };
}
