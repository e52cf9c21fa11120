import type { NewId } from '#application/ports/system.ts';
import type { Work } from '#application/ports/unit-of-work.ts';
import type { Instant } from '#domain/instant.ts';
import type { ProviderEvent } from './provider/news.ts';
import type { Server } from './server.ts';

/** What a server does with an event. */
export type Hear = (event: ProviderEvent, tools: Tools) => Work<unknown>;

interface Tools {
  readonly at: Instant;
  readonly newId: NewId;
}

/** Takes down where to look, and believes nothing else. */
const noteOnly: Hear =
  ({ kind, reference }, { at }) =>
  ({ lookUps }) =>
    lookUps.note('simulated', { kind, reference }, at);

/** Gets the events that are sent to the shop, at whichever server is up. */
export class Listener {
  readonly #anyServer: () => Server | undefined;
  readonly #tools: () => Tools;
  readonly #hear: Hear;

  constructor(anyServer: () => Server | undefined, tools: () => Tools, hear: Hear = noteOnly) {
    this.#anyServer = anyServer;
    this.#tools = tools;
    this.#hear = hear;
  }

  /** @returns whether the hint is durable */
  readonly get = async (event: ProviderEvent): Promise<boolean> => {
    const server = this.#anyServer();
    if (server === undefined) return false;
    try {
      await server.serve(({ unitOfWork }) => unitOfWork.run(this.#hear(event, this.#tools())));
      return true;
    } catch {
      return false;
    }
  };
}
