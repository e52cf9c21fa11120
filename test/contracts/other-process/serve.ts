import type { CustomStore } from '#adapters/persistence/store.ts';
import type { StoreRepositories } from '#application/ports/repositories.ts';
import { encodeError, type Kept, type Reply, type Request } from './messages.ts';

/** A script that serves a store to the process that has started it. */
export const servingScript = (kept: Kept): string =>
  `import { serveStore } from ${JSON.stringify(import.meta.url)}; await serveStore(${JSON.stringify(kept)});`;

/** An attempt of a unit of work, or of a read. */
interface Attempt {
  readonly number: number;
  readonly repositories: Readonly<Record<string, Readonly<Record<string, Method>>>>;
  /** The errors of its calls. */
  readonly errors: Map<number, unknown>;
  readonly ended: PromiseWithResolvers<void>;
}

type Method = (...given: readonly unknown[]) => Promise<unknown>;

/** The work has failed by an error of its own, which the other process has. */
class WorkFailed extends Error {}

/** Opens a store, and lets the process that has started this one use it. It ends with that process at the latest. */
export const serveStore = async ({ module, url }: Kept): Promise<void> => {
  const send = (reply: Reply): void => void process.send?.(reply);
  process.on('disconnect', () => process.exit());
  const opening = open(module, url);
  const store = await opening.catch((error: unknown) => {
    send({ type: 'failed', error: encodeError(error) });
  });
  if (store === undefined) return;
  const attempts = new Map<number, Attempt>();

  const begin = ({ id, method, context }: Request & { readonly type: 'begin' }): void => {
    let number = 0;
    const attempt = async (repositories: object): Promise<void> => {
      number += 1;
      const ended = Promise.withResolvers<void>();
      attempts.set(id, {
        ...{ number, errors: new Map(), ended },
        repositories: repositories as unknown as Attempt['repositories'],
      });
      send({ type: 'attempt', id, attempt: number });
      await ended.promise;
    };
    const { leftMs, ...rest } = context ?? {};
    const given = context && {
      ...(rest as Pick<NonNullable<typeof context>, 'actor'>),
      ...(leftMs !== undefined && { deadline: performance.now() + leftMs }),
    };
    const { unitOfWork } = store;
    const running =
      method === 'run'
        ? unitOfWork.run((all: StoreRepositories) => attempt(all), given)
        : unitOfWork.read((all) => attempt(all), given);
    running
      .then(
        () => send({ type: 'done', id }),
        (error: unknown) =>
          send({ type: 'undone', id, ...(!(error instanceof WorkFailed) && { error: encodeError(error) }) }),
      )
      .finally(() => attempts.delete(id));
  };

  const call = async (request: Request & { readonly type: 'call' }): Promise<void> => {
    const { id, call: number, repository, method, given } = request;
    const attempt = attempts.get(id);
    try {
      if (attempt?.number !== request.attempt) throw new Error('The unit of work has ended.');
      const value = await attempt.repositories[repository]?.[method]?.(...given);
      send({ type: 'returned', id, call: number, value });
    } catch (error) {
      attempt?.errors.set(number, error);
      send({ type: 'rejected', id, call: number, error: encodeError(error) });
    }
  };

  const end = ({ id, attempt: number, failedBy }: Request & { readonly type: 'end' }): void => {
    const attempt = attempts.get(id);
    if (attempt?.number !== number) return;
    if (failedBy === undefined) attempt.ended.resolve();
    else attempt.ended.reject(attempt.errors.get(failedBy ?? -1) ?? new WorkFailed());
  };

  const answer = (id: number, running: Promise<unknown> | undefined): void => {
    const ended = Promise.resolve(running);
    ended.then(
      (value) => send({ type: 'done', id, value }),
      (error: unknown) => send({ type: 'undone', id, error: encodeError(error) }),
    );
  };

  process.on('message', (request: Request) => {
    if (request.type === 'begin') begin(request);
    else if (request.type === 'call') void call(request);
    else if (request.type === 'end') end(request);
    else if (request.type === 'number') answer(request.id, store.numberEvents?.());
    else answer(request.id, store.close());
  });
  send({ type: 'opened', hasSequencer: store.numberEvents !== undefined });
};

const open = async (module: string, url: string): Promise<CustomStore> => {
  const { openStore } = await import(module);
  if (typeof openStore !== 'function') throw new TypeError(`${module} exports no openStore.`);
  return openStore({ url });
};
