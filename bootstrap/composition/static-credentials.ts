import type { StaticKey } from '#adapters/auth/key-authenticator.ts';
import { mintToken } from '#adapters/auth/key-authenticator.ts';
import type { NewId } from '#application/ports/system.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import type { ApiKeyId } from '#domain/api-key.ts';
import type { UserId } from '#domain/user.ts';
import type { Config } from '../config/config.ts';
import { isLoopback } from '../config/env-parser.ts';
import { customers, owner } from '../demo/demo-catalogue.ts';

/**
 * The key that the operator gave by the environment.
 * @param ensureUser the administrator, made again when somebody has removed or demoted them
 */
export const operatorKey = (token: string, ensureUser: () => Promise<UserId>): StaticKey => ({
  id: '00000000-0000-0000-0000-000000000000' as ApiKeyId,
  token,
  findUser: ensureUser,
});

/** What the docs page shows in the name of somebody of the demonstration. */
export interface DocsKey extends StaticKey {
  readonly name: 'customer' | 'admin';
}

/**
 * Keys that the docs page may give to whoever on this machine opens it. Only where the settings are those of a
 * demonstration: no real payments, no operator with a key of their own, nothing that lets others in. They act for the
 * users who have the demonstration's e-mail addresses, and are worth nothing where there are none; what else is in the
 * database, nobody looks at. The keys of the demonstration itself were shown once and are known to nobody here.
 */
export const docsKeys = (
  { seedDemo, adminApiKey, payment, ops, behindProxy }: Config,
  unitOfWork: UnitOfWork,
  newId: NewId,
): readonly DocsKey[] => {
  const isDemonstration = seedDemo && adminApiKey === undefined && payment.provider === 'sandbox';
  if (!isDemonstration || behindProxy || ops === undefined || !isLoopback(ops.host)) return [];
  const keyOf = (name: DocsKey['name'], email: string): DocsKey => {
    const id = newId<ApiKeyId>();
    const findUser = () =>
      unitOfWork.read(async ({ users }) => (await users.page({ email }, { limit: 1 })).rows[0]?.id);
    return { name, id, token: mintToken(id).token, findUser };
  };
  return [keyOf('customer', customers[0].email), keyOf('admin', owner.email)];
};

/** The tokens of those whose users are still there, by the name of whom they stand for. */
export const usableTokens = async (keys: readonly DocsKey[]): Promise<Readonly<Record<string, string>>> => {
  const found = await Promise.all(
    keys.map(async ({ name, token, findUser }) => ((await findUser()) === undefined ? [] : [[name, token]])),
  );
  return Object.fromEntries(found.flat());
};
