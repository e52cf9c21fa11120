import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import type { UserId } from '#domain/user.ts';
import { judgeErasures } from '../../lab/judge/erasures.ts';
import type { ClientOutcome, Evidence } from '../../lab/judge/evidence.ts';
import type { ErasureRow } from '../../lab/rows.ts';
import type { Violation } from '../../lab/violations.ts';
import { isErasure, type Operation } from '../client.ts';

export const isErasedIn = async (store: UnitOfWork, id: UserId): Promise<boolean> =>
  (await store.read(({ users }) => users.find(id)))?.status === 'erased';

/** @param quietMs how long a request may take here, since none has a deadline */
export const judgeErasure = (
  { rows, people, markedRows }: Pick<Evidence, 'rows' | 'people' | 'markedRows'>,
  operations: readonly Operation[],
  quietMs: number,
): readonly Violation[] => {
  const clientOutcomes = operations
    .filter(isErasure)
    .flatMap((one) => [...toldTo(one), ...untoldTo(one, rows.erasures)].map((id) => outcomeOf(one, id)));
  return judgeErasures({ rows, people, markedRows, clientOutcomes, requestTimeoutMs: quietMs });
};

const toldTo = ({ finalResponses }: Operation): readonly string[] =>
  [...finalResponses]
    .filter((response) => response.startsWith('{'))
    .map((response) => JSON.parse(response).id);

/** Erasures whose response was lost until the key expired. A retry is a new request then, and is rejected. */
const untoldTo = (one: Operation, erasures: readonly ErasureRow[]): readonly string[] =>
  one.finalResponse?.startsWith('invalid-state: The user has been erased.')
    ? erasures.filter(({ createdAt }) => one.isUntold(createdAt)).map(({ id }) => id)
    : [];

const outcomeOf = ({ key }: Operation, id: string): ClientOutcome => {
  const subject = { id, status: null, amount: null, reference: null, itemCount: null };
  const response = { status: 201, code: null, digest: id, subject };
  return { kind: 'erasure', key, path: '', response, isForgotten: false };
};
