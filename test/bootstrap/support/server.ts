import { Client } from '../../http/support/client.ts';
import { startFlags } from '../../support/start-flags.ts';
import { until } from '../../support/until.ts';
import { Program } from './program.ts';
import { operatorKey, serverSettings } from './server-settings.ts';

/** Each start is a process, and the machine may be slow or busy. */
const startTimeoutMs = 60_000;

export interface Server {
  readonly program: Program;
  /** A client with the key of the operator. */
  readonly client: Client;
}

/**
 * Starts a server as a process, and waits until it serves.
 * @param environment replaces these settings; undefined leaves one to a `.env` in the folder
 * @param flags of Node
 * @param folder the working directory
 * @throws with what it has printed, when it exits instead or does not serve in time
 */
export const startServer = async (
  environment: Readonly<Record<string, string | undefined>>,
  flags: readonly string[] = startFlags,
  folder?: string,
): Promise<Server> => {
  const program = new Program('bootstrap/main.mjs', { ...serverSettings, ...environment }, folder, flags);
  const url = () => /^Portico serves (https?:\S+)\/v1\n/m.exec(program.output)?.[1];
  await until(
    async () => program.output + program.errors,
    () => url() !== undefined || program.code !== undefined,
    startTimeoutMs,
  );
  if (program.code !== undefined) throw new Error(`The server has exited: ${program.errors}`);
  return { program, client: new Client(() => url() ?? '', operatorKey) };
};
