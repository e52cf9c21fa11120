import { retryOnConflict } from '../retry.ts';
import { SandboxVerdictEntity } from '../schema/entities/infrastructure.ts';
import type { SandboxLedger } from '../store.ts';
import type { SqlSession } from './session.ts';
import type { Statement } from './sql-table.ts';

const { tableName: ledger } = SandboxVerdictEntity;

const find: Statement = { name: `${ledger}_find`, text: `select verdict from ${ledger} where id = $1` };

const insert: Statement = {
  name: `${ledger}_insert`,
  text: `insert into ${ledger} (id, verdict) values ($1, $2) on conflict (id) do nothing`,
};

/** @param session one with autocommit: what a statement has changed is committed when it resolves */
export const sqlSandboxLedger = (session: SqlSession): SandboxLedger => {
  const findVerdict = async (id: string): Promise<string | undefined> => {
    const [row] = await retryOnConflict(() => session.query<{ readonly verdict: string }>(find, [id]));
    return row?.verdict;
  };

  return {
    find: findVerdict,
    keep: async (id, verdict) => {
      const inserted = await retryOnConflict(() => session.execute(insert, [id, verdict]));
      // Rows are never deleted, so there is an earlier one otherwise.
      return inserted > 0 ? verdict : ((await findVerdict(id)) ?? verdict);
    },
  };
};
