import { SandboxVerdictEntity } from '../schema/entities/infrastructure.ts';
import type { SandboxLedger } from '../store.ts';
import { type Builder, compile, parameter } from './builder.ts';
import type { Dialect } from './dialect.ts';
import type { SqlSession } from './session.ts';

const { tableName: ledger } = SandboxVerdictEntity;

/** @param session one with autocommit, which retries: what a statement has changed is committed when it resolves */
export const sqlSandboxLedger = (
  builder: Builder,
  { insertUnlessExists }: Pick<Dialect, 'insertUnlessExists'>,
  session: SqlSession,
): SandboxLedger => {
  const find = compile(
    `${ledger}_find`,
    builder.selectFrom(ledger).select('verdict').where('id', '=', parameter('id')),
  );
  const insert = compile(
    `${ledger}_insert`,
    insertUnlessExists(
      builder.insertInto(ledger).values({ id: parameter('id'), verdict: parameter('verdict') }),
      'id',
    ),
  );

  const findVerdict = async (id: string): Promise<string | undefined> => {
    const [row] = await session.query<{ readonly verdict: string }>(find, [id]);
    return row?.verdict;
  };

  return {
    find: findVerdict,
    keep: async (id, verdict) => {
      const inserted = await session.execute(insert, [id, verdict]);
      // Rows are never deleted, so there is an earlier one otherwise.
      return inserted > 0 ? verdict : ((await findVerdict(id)) ?? verdict);
    },
  };
};
