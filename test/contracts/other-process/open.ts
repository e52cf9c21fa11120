import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Store } from '#adapters/persistence/store.ts';
import type { RequestContext, StoreUnitOfWork } from '#application/ports/unit-of-work.ts';
import { decodeError, type Kept, type Reply, type Request } from './messages.ts';
import { servingScript } from './serve.ts';

/** A store in a process of its own. Work runs in this process, and each call of a repository there. */
export interface StoreProcess extends Pick<Store, 'unitOfWork' | 'numberEvents' | 'close'> {
  /** Kills the process (SIGKILL), so that it does nothing more. @returns once it has ended */
  kill(): Promise<void>;
}

/** An operation that the process carries out. */
interface Operation {
  readonly settle: PromiseWithResolvers<unknown>;
  /** Runs the work. @param attempt counts from 1 */
  readonly attempt?: (attempt: number) => void;
  readonly calls: Map<number, PromiseWithResolvers<unknown>>;
  /** The work's result or error, from its last attempt. */
  outcome?: { readonly value: unknown } | { readonly error: unknown };
}

/**
 * Starts a process, and opens a store in it.
 * @throws Error when the module cannot be loaded, or its store not be opened
 */
export const openInProcess = async (kept: Kept): Promise<StoreProcess> => {
  const flags = ['--no-warnings', '--input-type=module', '--eval', servingScript(kept)];
  const child = spawn(process.execPath, flags, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced',
  });
  const exited = once(child, 'exit');
  const operations = new Map<number, Operation>();
  const opened = Promise.withResolvers<boolean>();
  /** The error of a call, as the work got it, so that the store gets its own error back. */
  const callOf = new WeakMap<object, number>();
  let lastId = 0;

  const send = (request: Request): void => {
    if (child.connected) child.send(request, () => undefined);
  };

  child.on('message', (reply: Reply) => {
    if (reply.type === 'opened') return opened.resolve(reply.hasSequencer);
    if (reply.type === 'failed') return opened.reject(decodeError(reply.error));
    const operation = operations.get(reply.id);
    if (operation === undefined) return;
    if (reply.type === 'attempt') return operation.attempt?.(reply.attempt);
    if (reply.type === 'returned') return operation.calls.get(reply.call)?.resolve(reply.value);
    if (reply.type === 'rejected') {
      const error = decodeError(reply.error);
      callOf.set(error, reply.call);
      return operation.calls.get(reply.call)?.reject(error);
    }
    operations.delete(reply.id);
    const { settle, outcome } = operation;
    if (reply.type === 'undone' && reply.error !== undefined) return settle.reject(decodeError(reply.error));
    if (outcome !== undefined && 'error' in outcome) return settle.reject(outcome.error);
    settle.resolve(outcome === undefined && reply.type === 'done' ? reply.value : outcome?.value);
  });
  child.on('exit', () => {
    const error = new Error('The process of the store has ended.');
    opened.reject(error);
    for (const { settle, calls } of operations.values())
      for (const { promise, reject } of [settle, ...calls.values()]) {
        promise.catch(() => undefined);
        reject(error);
      }
  });

  const begin = (make: (id: number) => Request, work?: (repositories: never) => Promise<unknown>) => {
    lastId += 1;
    const id = lastId;
    const operation: Operation = {
      settle: Promise.withResolvers<unknown>(),
      calls: new Map(),
      ...(work && { attempt: (attempt: number) => void run(attempt) }),
    };
    const run = async (attempt: number): Promise<void> => {
      const repositories = remote(async (repository, method, given) => {
        const call = operation.calls.size + 1;
        const returned = Promise.withResolvers<unknown>();
        operation.calls.set(call, returned);
        send({ type: 'call', id, attempt, call, repository, method, given });
        return returned.promise;
      });
      try {
        operation.outcome = { value: await work?.(repositories as never) };
        send({ type: 'end', id, attempt });
      } catch (error) {
        operation.outcome = { error };
        const failedBy = typeof error === 'object' && error !== null ? callOf.get(error) : undefined;
        send({ type: 'end', id, attempt, failedBy: failedBy ?? null });
      }
    };
    operations.set(id, operation);
    send(make(id));
    return operation.settle.promise;
  };

  const run =
    (method: 'run' | 'read') => (work: (all: never) => Promise<unknown>, context?: RequestContext) =>
      begin((id) => ({ type: 'begin', id, method, context: withoutDeadline(context) }), work);

  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
  };
  const hasSequencer = await opened.promise.catch(async (error: unknown) => {
    await kill();
    throw error;
  });
  return {
    unitOfWork: { run: run('run'), read: run('read') } as unknown as StoreUnitOfWork,
    numberEvents: hasSequencer
      ? () => begin((id) => ({ type: 'number', id })) as ReturnType<NonNullable<Store['numberEvents']>>
      : undefined,
    close: async () => {
      await begin((id) => ({ type: 'close', id }));
      child.disconnect();
      await exited;
    },
    kill,
  };
};

type Call = (repository: string, method: string, given: readonly unknown[]) => Promise<unknown>;

/** Repositories whose calls are sent elsewhere. */
const remote = (call: Call): object =>
  new Proxy(
    {},
    {
      get: (_, repository) =>
        new Proxy(
          {},
          {
            get:
              (__, method) =>
              (...given: readonly unknown[]) =>
                call(String(repository), String(method), given),
          },
        ),
    },
  );

const withoutDeadline = (context: RequestContext | undefined) => {
  if (context === undefined) return undefined;
  const { deadline, ...rest } = context;
  return { ...rest, leftMs: deadline === undefined ? undefined : deadline - performance.now() };
};
