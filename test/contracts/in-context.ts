import type { Store } from '#adapters/persistence/store.ts';
import { aUser } from './samples.ts';

/** A store where every unit of work has a context with a deadline. */
export const inContext =
  <S extends Pick<Store, 'unitOfWork'>>(open: () => Promise<S>) =>
  async (): Promise<S> => {
    const store = await open();
    const user = aUser().id;
    const unitOfWork: Store['unitOfWork'] = {
      run: (work, context = { actor: user, deadline: performance.now() + 60_000 }) =>
        store.unitOfWork.run(work, context),
      read: (reading, context) => store.unitOfWork.read(reading, context),
    };
    return { ...store, unitOfWork };
  };
