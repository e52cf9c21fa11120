import { mintToken, type StaticKey } from '#adapters/auth/key-authenticator.ts';
import type { NewId } from '#application/ports/system.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import type { ApiKeyId } from '#domain/api-key.ts';
import type { UserId } from '#domain/user.ts';
import type { Config } from '../config/config.ts';
import { isLoopback } from '../config/env-parser.ts';
import { customers, owner } from '../demo/demo-catalogue.ts';

/**
 * The key of `ADMIN_API_KEY`.
 * @param ensureUser finds its administrator, and creates or promotes that user again if necessary
 */
export const operatorKey = (token: string, ensureUser: () => Promise<UserId>): StaticKey => ({
  id: '00000000-0000-0000-0000-000000000000' as ApiKeyId,
  token,
  findUser: ensureUser,
});

/** A key with which the docs page acts for a user of the demonstration. */
export interface DocsKey extends StaticKey {
  readonly name: 'customer' | 'admin';
}

/**
 * The keys that the docs page shows to every visitor from this machine. There are some only in a demonstration: no real
 * payments, no `ADMIN_API_KEY`, no proxy, and the ops listener on loopback. They act for the users with the demonstration's
 * e-mail addresses, and authenticate no request where those users do not exist.
 */
export const docsKeys = (
  { seedDemo, adminApiKey, payment, ops, behindProxy }: Config,
  unitOfWork: UnitOfWork,
  newId: NewId,
): readonly DocsKey[] => {
  const isDemonstration = seedDemo && adminApiKey === undefined && payment.provider === 'sandbox';
  if (!isDemonstration || behindProxy || ops === undefined || !isLoopback(ops.host)) return [];
  const keyFor = (name: DocsKey['name'], email: string): DocsKey => {
    const id = newId<ApiKeyId>();
    const findUser = () =>
      unitOfWork.read(async ({ users }) => (await users.page({ email }, { limit: 1 })).rows[0]?.id);
    return { name, id, token: mintToken(id).token, findUser };
  };
  return [keyFor('customer', customers[0].email), keyFor('admin', owner.email)];
};

/** The tokens of the keys whose users exist, by the name of the key. */
export const usableTokens = async (keys: readonly DocsKey[]): Promise<Readonly<Record<string, string>>> => {
  const found = await Promise.all(
    keys.map(async ({ name, token, findUser }) => ((await findUser()) === undefined ? [] : [[name, token]])),
  );
  return Object.fromEntries(found.flat());
};
