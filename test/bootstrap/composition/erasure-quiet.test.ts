import { expect } from 'chai';
import type { Authenticator } from '#application/ports/authenticator.ts';
import type { Caller } from '#application/preconditions.ts';
import { containerFor } from '#bootstrap/composition/container.ts';
import { tokens } from '#bootstrap/composition/tokens.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { forEachCase } from '../../support/for-each-case.ts';
import { SimulatedTime } from '../../support/simulated-time.ts';

const operatorKey = 'an-operator-key-that-is-long-enough-for-all';

/** A credential counts for less than five seconds after it is revoked, also in a process that has cached it. */
const credentialLifetimeMs = 5_000;

const callerOf = async (authenticator: Authenticator, token: string): Promise<Caller> => {
  const caller = await authenticator.authenticate(token);
  return caller !== undefined && 'userId' in caller ? caller : expect.fail('The credential counts.');
};

describe('The last pass of an erasure', () => {
  let time: SimulatedTime;
  beforeEach(() => {
    time = new SimulatedTime();
  });
  afterEach(() => time.end());

  /** Begins an erasure of a user whose key is cached. */
  const erasureWith = async (requestTimeoutMs: number) => {
    const container = containerFor(
      readConfig({
        ...{ DATABASE_URL: 'memory:', LOG_LEVEL: 'silent', ADMIN_API_KEY: operatorKey },
        REQUEST_TIMEOUT_MS: `${requestTimeoutMs}`,
      }),
    );
    const { useCases, unitOfWork, backgroundJobs } = await container.getAsync(tokens.application);
    const authenticator = await container.getAsync(tokens.authenticator);
    const operator = await callerOf(authenticator, operatorKey);
    const details = { email: 'grace@example.com', name: 'Grace', role: 'customer' } as const;
    const { id: userId } = await unitOfWork.run(useCases.users.create(operator, details));
    const { token } = await unitOfWork.run(useCases.apiKeys.issue(operator, { name: 'Key', userId }));
    await callerOf(authenticator, token);
    await unitOfWork.run(useCases.erasures.begin(operator, userId));
    return {
      isAuthenticated: async () => (await authenticator.authenticate(token)) !== undefined,
      isCompletedNow: async () => (await backgroundJobs.eraseUsers()).done === 1,
      close: () => container.unbindAllAsync(),
    };
  };

  it('begins once the last request with a cached credential of the user has reached its deadline', () =>
    forEachCase([1_000, 20_000], async (requestTimeoutMs) => {
      const { isAuthenticated, isCompletedNow, close } = await erasureWith(requestTimeoutMs);
      expect(await isCompletedNow()).to.equal(false);
      time.rest(3_999);
      expect(await isAuthenticated(), 'the last request begins').to.equal(true);
      time.rest(credentialLifetimeMs + requestTimeoutMs - 4_000);
      expect(await isCompletedNow(), 'before its deadline').to.equal(false);
      expect(await isAuthenticated()).to.equal(false);
      time.rest(1);
      expect(await isCompletedNow(), 'at its deadline').to.equal(true);
      await close();
    }));
});
