import { command } from '../framework/command.ts';
import { withExistingApplication } from '../open-application.ts';

export const feedRenew = command({
  name: 'feed renew',
  description: 'Make the feed of events another one, after the database was set back.',
  details: [
    'Run it once after a database was restored in place, or after a failover that has lost commits, before you let clients in again. Sequences that readers have seen may belong to other events now.',
    'Readers that resume at an earlier position then get 410 and read the feed anew. It is not needed after portico restore, nor where a dump of PostgreSQL was restored into another database.',
  ],
  run: (_, terminal) =>
    withExistingApplication(async ({ application: { unitOfWork }, newId }) => {
      const id = newId();
      await unitOfWork.run(({ events }) => events.renew(id));
      await terminal.notify(`The feed of events is now ${id}.`);
    }),
});
