import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import type { UserId } from '#domain/user.ts';
import { judgeErasures } from '../../lab/judge/erasures.ts';
import type { ClientOutcome } from '../../lab/judge/evidence.ts';
import type { Violation } from '../../lab/violations.ts';
import { erasing, type Operation } from '../client.ts';
import type { evidenceOf } from './evidence.ts';

export const isErasedIn = async (store: UnitOfWork, id: UserId): Promise<boolean> =>
  (await store.read(({ users }) => users.find(id)))?.status === 'erased';

/** @param quietMs how long a request may take here, since none has a deadline */
export const judgeErasure = (
  { rows, people, markedRows }: ReturnType<typeof evidenceOf>,
  operations: readonly Operation[],
  quietMs: number,
): readonly Violation[] => {
  const clientOutcomes = operations.filter(({ key }) => key === erasing).flatMap(outcomesOf);
  return judgeErasures({ rows, people, markedRows, clientOutcomes, requestTimeoutMs: quietMs });
};

/** Those that have begun one. */
const outcomesOf = ({ key, finalResponses }: Operation): readonly ClientOutcome[] =>
  [...finalResponses]
    .filter((response) => response.startsWith('{'))
    .map((response) => {
      const { id } = JSON.parse(response);
      const subject = { id, status: null, amount: null, reference: null, itemCount: null };
      const parsed = { status: 201, code: null, digest: response, subject };
      return { kind: 'erasure', key, path: '', response: parsed, isForgotten: false };
    });
