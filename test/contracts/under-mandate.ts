import type { Store } from '#adapters/persistence/store.ts';
import { aUser } from './samples.ts';

/** A store where every unit of work has a mandate, so that it may be done together with others. */
export const underMandate =
  <S extends Pick<Store, 'unitOfWork'>>(open: () => Promise<S>) =>
  async (): Promise<S> => {
    const store = await open();
    const user = aUser().id;
    const unitOfWork: Store['unitOfWork'] = {
      run: (work, mandate = { user, until: performance.now() + 60_000 }) =>
        store.unitOfWork.run(work, mandate),
      read: (reading, mandate) => store.unitOfWork.read(reading, mandate),
    };
    return { ...store, unitOfWork };
  };
