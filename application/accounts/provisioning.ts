import { Identity } from '#domain/identity.ts';
import { User, type UserId } from '#domain/user.ts';
import type { Clock, NewId } from '../ports/system.ts';
import { retryOnceOnConflict, type UnitOfWork, type Work } from '../ports/unit-of-work.ts';

/** What an identity provider states about the subject of a token that it has issued. */
export interface VerifiedSubject extends Pick<Identity, 'issuer' | 'subject' | 'key'> {
  /** In the form in which users keep it. The provider has verified it. */
  readonly email: string;
  /** The name as the provider has it; undefined when it has none. */
  readonly name: string | undefined;
}

interface Dependencies {
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  readonly newId: NewId;
}

/**
 * Just-in-time provisioning: links a subject to the customer with its e-mail address, who is created when there is none. Concurrent
 * calls, in any process, create one user and one link.
 * @param requestId of the request that it is done for
 * @returns the user that the subject is linked to from now on; undefined when the address belongs to a user who is no active
 *   customer, because a mailbox alone must never make an administrator
 * @throws ApplicationError 'unavailable'
 */
export const provisionCustomer = (
  { unitOfWork, clock, newId }: Dependencies,
  subject: VerifiedSubject,
  requestId?: string,
): Promise<User | undefined> => {
  const id: UserId = newId();
  const work = linkToCustomer(subject, { id, clock, newId });
  // The new user is the actor, so that their own requests read it at once.
  return retryOnceOnConflict(unitOfWork, work, { actor: id, requestId });
};

const linkToCustomer =
  (
    { issuer, subject, key, email, name }: VerifiedSubject,
    { id, clock, newId }: Pick<Dependencies, 'clock' | 'newId'> & { readonly id: UserId },
  ): Work<User | undefined> =>
  async ({ users, identities }) => {
    // Locked first, so that the links of a customer who is being linked elsewhere are read as they are afterwards.
    const [existing] = await users.lockBy('email', [email]);
    const [link] = await identities.findBy('key', [key]);
    if (link !== undefined) return users.find(link.userId);
    if (existing !== undefined && !(existing.role === 'customer' && existing.status === 'active'))
      return undefined;
    const at = clock.now();
    const user =
      existing ?? User.create(id, { email, name: Identity.userName(name, email), role: 'customer' }, at);
    if (existing === undefined) await users.add(user);
    await identities.add(Identity.link(newId(), { userId: user.id, issuer, subject, key }, at));
    return user;
  };
