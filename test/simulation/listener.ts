import type { ProviderWebhook } from '#application/ports/charge-lifecycle.ts';
import type { NewId } from '#application/ports/system.ts';
import type { Work } from '#application/ports/unit-of-work.ts';
import type { Instant } from '#domain/instant.ts';
import type { Journal } from './journal.ts';
import type { ProviderEvent } from './provider/provider-events.ts';
import { messageOf } from './provider/signature.ts';
import { ConnectionLost, type Server } from './server.ts';

/** What a server with a fault does with an event. */
export type Hear = (event: ProviderEvent, tools: Tools) => Work<unknown>;

interface Tools {
  readonly at: Instant;
  readonly newId: NewId;
}

interface Dependencies {
  readonly anyServer: () => Server | undefined;
  readonly tools: () => Tools;
  readonly journal: Journal;
  readonly hear: Hear | undefined;
}

/** Gets the events that are sent to the shop, at whichever server is up. */
export class Listener {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** @returns whether the event need not be sent again */
  readonly get = async (event: ProviderEvent): Promise<boolean> => {
    const { anyServer, journal } = this.#dependencies;
    const server = anyServer();
    if (server === undefined) return false;
    try {
      await this.#receive(server, event);
      return true;
    } catch (error) {
      journal.log(String(error));
      if (!(error instanceof ConnectionLost)) journal.breach(`An event could not be received: ${error}`);
      return false;
    }
  };

  async #receive(server: Server, event: ProviderEvent): Promise<void> {
    const { tools, journal, hear } = this.#dependencies;
    if (hear !== undefined) {
      await server.serve(({ unitOfWork }) => unitOfWork.run(hear(event, tools())));
      return;
    }
    const message: ProviderWebhook = messageOf(event);
    const outcome = await server.serve(async ({ receiveEvent }) => receiveEvent?.(message));
    const expected = event.isSigned ? 'accepted' : 'forged';
    if (outcome !== expected)
      journal.breach(`An event of ${event.reference} was ${outcome}, not ${expected}.`);
  }
}
