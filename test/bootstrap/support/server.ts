import { Client } from '../../http/support/client.ts';
import { Program, type ProgramOptions } from '../../lab/program.ts';
import { startFlags } from '../../support/start-flags.ts';
import { operatorKey, serverSettings } from './server-settings.ts';

export interface Server {
  readonly program: Program;
  /** A client with the key of the operator. */
  readonly client: Client;
}

/**
 * Starts a server as a process, and waits until it serves.
 * @param settings replaces those of `serverSettings`; undefined leaves one to a `.env` in the folder
 * @param options flags of Node: by default those of `npm start`; the working directory
 * @throws with what it has printed, when it exits instead or does not serve in time
 */
export const startServer = async (
  settings: Readonly<Record<string, string | undefined>>,
  options: Pick<ProgramOptions, 'flags' | 'folder'> = {},
): Promise<Server> => {
  const environment = { ...serverSettings, ...settings };
  const program = new Program('bootstrap/main.mjs', { flags: startFlags, ...options, environment });
  const [, url = ''] = await program.printed(/^Portico serves (https?:\S+)\/v1\n/m);
  return { program, client: new Client(() => url, operatorKey) };
};
