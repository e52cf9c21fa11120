import { retryOnConflict } from '../retry.ts';
import { SandboxVerdictEntity } from '../schema/entities/sandbox-verdict.ts';
import type { SandboxLedger } from '../store.ts';
import type { SqlSession, Statement } from './session.ts';

const { tableName: ledger } = SandboxVerdictEntity;

const find: Statement = { name: `${ledger}_find`, text: `select verdict from ${ledger} where id = $1` };

const insert: Statement = {
  name: `${ledger}_insert`,
  text: `insert into ${ledger} (id, verdict) values ($1, $2) on conflict (id) do nothing`,
};

/** @param session whose statements each stand alone: what one has changed is committed when it has answered */
export const sqlSandboxLedger = (session: SqlSession): SandboxLedger => {
  const standing = async (id: string): Promise<string | undefined> => {
    const [row] = await retryOnConflict(() => session.query<{ readonly verdict: string }>(find, [id]));
    return row?.verdict;
  };

  return {
    find: standing,
    keep: async (id, verdict) => {
      await retryOnConflict(() => session.execute(insert, [id, verdict]));
      // One is there now, this or an earlier one: nothing is ever taken out.
      return (await standing(id)) ?? verdict;
    },
  };
};
