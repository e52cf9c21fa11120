import { existsSync } from 'node:fs';
import { ApplicationError } from '#application/errors.ts';
import { type App, startApp } from './app.ts';
import { banner } from './banner.ts';
import { readConfig } from './config.ts';
import { SettingError } from './settings.ts';

const main = async (): Promise<void> => {
  // What the environment says already, the file leaves as it is.
  if (existsSync('.env')) process.loadEnvFile('.env');
  const config = readConfig(process.env);
  const app = await startApp(config);
  process.stdout.write(banner(app, config));
  stopOnSignals(app);
};

const stopOnSignals = (app: App): void => {
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) return;
    isStopping = true;
    app.close().then(() => process.exit(0), fail);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
};

/** What an operator can mend is said in one line; what only we can mend is shown whole. */
const fail = (error: unknown): never => {
  const reason = remedy(error);
  process.stderr.write(`portico: ${reason ?? (error instanceof Error ? error.stack : String(error))}\n`);
  process.exit(1);
};

const remedy = (error: unknown): string | undefined => {
  if (error instanceof SettingError) return error.message;
  if (error instanceof ApplicationError && error.kind === 'unavailable') {
    return `DATABASE_URL names a database that cannot be used: ${reasonOf(error)}`;
  }
  const { code, syscall, address, port, hostname } = error as SystemError;
  if (syscall === 'mkdir') return `DATABASE_URL names a file whose folder cannot be made (${code}).`;
  if (syscall === 'getaddrinfo' || code === 'EADDRNOTAVAIL') {
    return `HOST or OPS_HOST takes an address of this machine, which ${hostname ?? address} is not (${code}).`;
  }
  if (syscall === 'listen') return `PORT or OPS_PORT: nothing can listen on port ${port} (${code}).`;
  return undefined;
};

type SystemError = NodeJS.ErrnoException & {
  readonly address?: string;
  readonly port?: number;
  readonly hostname?: string;
};

const reasonOf = ({ message, cause }: ApplicationError): string =>
  cause instanceof Error ? cause.message : message;

await main().catch(fail);
