import { expect } from 'chai';
import { createApplication } from '#application/application.ts';
import type { Caller } from '#application/preconditions.ts';
import { Role } from '#domain/access.ts';
import { scriptedProvider } from '#test/application/provider.ts';
import { numberAll, visibleEvents } from '#test/contracts/events-support.ts';
import { aUser } from '#test/contracts/samples.ts';
import { machineClock, newId } from '#test/support/machine.ts';
import { storeAt } from '#test/support/store-at.ts';
import { allKinds, createMigrated, productOf } from '#test/support/test-databases.ts';

const name = 'Grace Hopper of Arlington';

for (const kind of allKinds) {
  describe(`An erasure while events wait for their sequences on ${productOf(kind)}`, () => {
    it('erases them too', async () => {
      const database = await createMigrated(kind);
      const store = await storeAt(database.url);
      const { useCases, backgroundJobs, unitOfWork } = createApplication(
        {
          ...{ unitOfWork: store.unitOfWork, numberEvents: store.numberEvents?.bind(store) },
          ...{ clock: machineClock, newId },
          ...{ provider: scriptedProvider().port, mintToken: () => ({ token: '', secretHash: '' }) },
        },
        { lease: 1_000, reconcileAfter: 60_000, orderLifetime: 0, erasureQuiet: 0 },
      );
      const admin = aUser({ role: 'admin' });
      const operator: Caller = {
        ...{ userId: admin.id, role: admin.role, scopes: Role.scopes(admin.role), keyId: newId() },
      };
      await unitOfWork.run(({ users }) => users.add(admin));
      await numberAll(store);
      // Nothing numbers from now on, as when the database is too busy for it.
      const details = { name, email: 'grace@example.com', role: 'customer' as const };
      const user = await unitOfWork.run(useCases.users.create(operator, details));
      const { id } = await unitOfWork.run(useCases.erasures.begin(operator, user.id));
      for (let runs = 0; runs < 5; runs += 1)
        expect((await backgroundJobs.eraseUsers()).errors).to.deep.equal([]);
      const erasure = await unitOfWork.read(({ erasures }) => erasures.find(id));
      expect(erasure?.status).to.equal('completed');
      await numberAll(store);
      const told = (await visibleEvents(store, 0)).filter(({ subject }) => subject.id === user.id);
      expect(told.map(({ type }) => type)).to.include.members(['user.created', 'user.erased']);
      expect(JSON.stringify(told)).not.to.include(name).and.not.to.include(details.email);
      await store.close();
      await database.remove();
    });
  });
}
