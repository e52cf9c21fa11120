import type { KeptKindName } from '#bootstrap/config/store-kinds.ts';
import { freePort } from '../bootstrap/support/ports.ts';
import { Program } from '../lab/program.ts';
import { startFlags } from '../support/start-flags.ts';
import type { Conditions } from './trial.ts';

export const token = 'an-operator-key-that-is-long-enough-for-all';

/** A server in its own process, configured as in production. */
export interface RunningServer {
  readonly program: Program;
  readonly port: number;
  readonly opsPort: number;
}

export const serve = async (
  { cleanUp }: Pick<Conditions, 'cleanUp'>,
  database: string,
  settings: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
): Promise<RunningServer> => {
  const [port, opsPort] = [await freePort(), await freePort()];
  const environment = {
    DATABASE_URL: database,
    PORT: `${port}`,
    OPS_PORT: `${opsPort}`,
    ADMIN_API_KEY: token,
    RATE_LIMIT_MAX: '1000000000',
    SEED_DEMO: '0',
    LOG_LEVEL: 'error',
    ...settings,
  };
  const program = new Program('bootstrap/main.mjs', { environment, flags: [...startFlags, ...flags] });
  cleanUp.defer(() => program.kill());
  await program.printed(/^Health is at/m);
  return { program, port, opsPort };
};

/** The databases under load in most trials. */
export const usualKinds = ['sqlite', 'postgres'] as const satisfies readonly KeptKindName[];

/** Creates a product. @returns its id */
export const createProduct = async (port: number): Promise<string> => {
  const response = await fetch(`http://127.0.0.1:${port}/v1/products`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Tea', price: { amount: 350, currency: 'EUR' } }),
  });
  const { data } = (await response.json()) as { readonly data: { readonly id: string } };
  return data.id;
};
