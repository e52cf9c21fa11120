import type { Place } from '#application/ports/followed-charges.ts';
import { Instant } from '#domain/instant.ts';
import type { Book } from './ledger.ts';

/** What the provider will tell by itself. */
interface Piece extends Place {
  /** In milliseconds since 1970. */
  readonly at: number;
}

/** The provider's list of events: what happens without a request. */
export const newsOf = (book: Book, now: () => number) => {
  /** Lines never change, so each is read once. */
  const pieces: Piece[] = [];

  const read = async (): Promise<void> => {
    for (let line = pieces.length; ; line += 1) {
      const piece = await book.find<Piece>(`news/${line}`);
      if (piece === undefined) return;
      pieces[line] = piece;
    }
  };

  const tell = async (place: Place, at: number): Promise<void> => {
    await read();
    const piece = { ...place, at };
    for (let line = pieces.length; ; line += 1) {
      const kept = await book.keep<Piece>(`news/${line}`, piece);
      if (kept.at === at && kept.reference === place.reference && kept.kind === place.kind) return;
    }
  };

  const since = async (time: Instant) => {
    await read();
    const from = Instant.milliseconds(time);
    const told = pieces.filter(({ at }) => at >= from && at <= now());
    const newest = told.reduce<number | undefined>((last, { at }) => Math.max(last ?? at, at), undefined);
    return {
      places: told.map(({ kind, reference, at }) => ({ kind, reference, eventId: `${reference}_${at}` })),
      newest: newest === undefined ? null : Instant.at(newest),
    };
  };

  return { tell, since };
};
