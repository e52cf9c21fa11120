import { idempotencyKeys } from '../schema/entities/idempotency-key.ts';
import type { PurgeIdempotencyKeys } from '../sql/dialect.ts';
import type { Statement } from '../sql/session.ts';

const { name } = idempotencyKeys;

/** How many go in one go: others who want to write wait meanwhile. */
const batch = 100;

const forget: Statement = {
  name: `${name}_forget`,
  text:
    `delete from ${name} where (user_id, key) in (select user_id, key from ${name} ` +
    'where created_at <= $1 and lease_until is null order by created_at limit $2)',
};

/** A file keeps no more keys than one machine takes in a day, so they are deleted. */
export const forgetInBatches: PurgeIdempotencyKeys = async (session, createdBefore) =>
  (await session.execute(forget, [createdBefore, batch])) === batch;
