import type { ByteRange } from '../formats/disk-image.js';
import { coveredBytes, addRange, mergeCoverages, type Coverage } from './coverage.js';
import type { ServedFile } from './answers/served-file.js';

/** The download phase of a site's medium, as the server sees it. */
export type DownloadPhase = 'waiting' | 'reading' | 'fetched';

/** The requests of a site since the server started. */
export interface DownloadStatus {
  readonly phase: DownloadPhase;
  /** Bytes of the medium sent at least once, and its size. */
  readonly givenBytes: number;
  readonly ofBytes: number;
  /** The last file requested, and when; absent before the first request. */
  readonly last?: { readonly what: string; readonly at: Date };
}

/** Request records by site name. */
export interface DownloadTracker {
  of(site: string): DownloadStatus;
  /** Records a request. */
  onRequest(site: string, what: string, at: Date): void;
  /** Records that a range of the medium was sent. */
  onPiece(site: string, piece: ByteRange, medium: Pick<ServedFile, 'bytes' | 'etag'>): void;
  /** Whether the whole medium was sent. */
  isComplete(site: string): boolean;
  /** Whether the medium would be complete with these ranges added. */
  wouldComplete(site: string, pieces: Coverage, medium: Pick<ServedFile, 'bytes' | 'etag'>): boolean;
}

interface Seen {
  readonly coverage: Coverage;
  readonly ofBytes: number;
  readonly etag: string;
  readonly last?: { readonly what: string; readonly at: Date };
}

const nothing: Seen = { coverage: [], ofBytes: 0, etag: '' };

/** A different entity tag resets the coverage. */
function withPieces(
  before: Seen,
  pieces: Coverage,
  { bytes, etag }: Pick<ServedFile, 'bytes' | 'etag'>,
): Seen {
  const known = before.etag === etag ? before.coverage : [];
  const [only] = pieces;
  const coverage = only && pieces.length === 1 ? addRange(known, only) : mergeCoverages([known, pieces]);
  return { ...before, ofBytes: bytes, etag, coverage };
}

/** `onChange` is called with the name of the changed site, `onComplete` each time a whole medium was sent. */
export function downloadTracker(
  onChange: (site: string) => void = () => undefined,
  onComplete: () => void = () => undefined,
): DownloadTracker {
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
      const before = seen.get(site) ?? nothing;
      const next = withPieces(before, [piece], medium);
      set(site, next);
      if (isWhole(next) && (!isWhole(before) || before.etag !== next.etag)) onComplete();
    },
    wouldComplete: (site, pieces, medium) => isWhole(withPieces(seen.get(site) ?? nothing, pieces, medium)),
    isComplete: (site) => isWhole(seen.get(site) ?? nothing),
  };
}
