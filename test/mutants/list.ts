import { eventMutants } from './events.ts';
import { mariadbMutants } from './mariadb.ts';
import { memoryMutants } from './memory.ts';
import { memoryRowMutants } from './memory-rows.ts';
import type { Mutant } from './mutant.ts';
import { postgresMutants } from './postgres.ts';
import { postgresEngineMutants } from './postgres-engine.ts';
import { reconciliationMutants } from './reconciliation.ts';
import { reconciliationTaskMutants } from './reconciliation-tasks.ts';
import { sandboxMutants } from './sandbox.ts';
import { searchMutants } from './search.ts';
import { sqlMutants } from './sql.ts';
import { sqliteMutants } from './sqlite.ts';
import { sqliteSchemaMutants } from './sqlite-schema.ts';
import { sqliteUnitMutants } from './sqlite-units.ts';
import { stripeMutants } from './stripe.ts';
import { webhookMutants } from './webhooks.ts';

export const mutants: readonly Mutant[] = [
  ...memoryMutants,
  ...memoryRowMutants,
  ...sqliteMutants,
  ...sqliteUnitMutants,
  ...sqlMutants,
  ...searchMutants,
  ...reconciliationTaskMutants,
  ...sqliteSchemaMutants,
  ...postgresMutants,
  ...postgresEngineMutants,
  ...mariadbMutants,
  ...sandboxMutants,
  ...stripeMutants,
  ...reconciliationMutants,
  ...eventMutants,
  ...webhookMutants,
];
