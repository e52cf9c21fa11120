import { Client } from '../../http/support/client.ts';
import { allowedOrigin } from '../../http/support/protocol.ts';
import { startFlags } from '../../support/start-flags.ts';
import { until } from '../../support/until.ts';
import { Program } from './program.ts';

/** The key of the operator in servers that tests start as processes. */
const operatorKey = 'an-operator-key-that-is-long-enough-for-all';

/** Each start is a process, and the machine may be slow or busy. */
const startTimeoutMs = 60_000;

const settings = {
  ADMIN_API_KEY: operatorKey,
  PORT: '0',
  OPS_PORT: '0',
  SHUTDOWN_DRAIN_MS: '0',
  RATE_LIMIT_MAX: '1000000',
  SEED_DEMO: '0',
  LOG_LEVEL: 'warn',
  CORS_ORIGIN: allowedOrigin,
};

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
  const program = new Program('bootstrap/main.mjs', { ...settings, ...environment }, folder, flags);
  const url = () => /^Portico serves (https?:\S+)\/v1\n/m.exec(program.output)?.[1];
  await until(
    async () => program.output + program.errors,
    () => url() !== undefined || program.code !== undefined,
    startTimeoutMs,
  );
  if (program.code !== undefined) throw new Error(`The server has exited: ${program.errors}`);
  return { program, client: new Client(() => url() ?? '', operatorKey) };
};
