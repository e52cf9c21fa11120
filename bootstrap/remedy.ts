import { FileBroken } from '#adapters/files/row.ts';
import { ApplicationError } from '#application/errors.ts';
import { DomainError } from '#domain/errors.ts';
import { UsageError } from './command-line/usage-error.ts';
import { SettingError } from './settings.ts';

/** In lines: what an operator can mend is said in one, and what only we can mend is shown whole. */
export const reasonFor = (error: unknown): readonly string[] => {
  const said = remedy(error);
  if (said !== undefined) return [said];
  return (error instanceof Error ? (error.stack ?? error.message) : String(error)).split('\n');
};

const remedy = (error: unknown): string | undefined => {
  if (error instanceof SettingError || error instanceof UsageError || error instanceof FileBroken) {
    return error.message;
  }
  if (error instanceof DomainError) return refusal(error);
  if (error instanceof ApplicationError && error.kind === 'unavailable') {
    return `DATABASE_URL names a database that cannot be used: ${reasonOf(error)}`;
  }
  const { code, syscall, address, port, hostname, path } = error as SystemError;
  if (syscall === 'mkdir') return `DATABASE_URL names a file whose folder cannot be made (${code}).`;
  if (syscall === 'getaddrinfo' || code === 'EADDRNOTAVAIL') {
    return `HOST or OPS_HOST takes an address of this machine, which ${hostname ?? address} is not (${code}).`;
  }
  if (syscall === 'listen') return `PORT or OPS_PORT: nothing can listen on port ${port} (${code}).`;
  if (code !== undefined && path !== undefined) return `${path} cannot be used (${code}).`;
  return undefined;
};

/** The message, and what is wrong with which field. */
export const refusal = ({ message, faults }: DomainError): string =>
  faults.length === 0
    ? message
    : `${faults.map(({ field, message: fault }) => `${field} ${fault}`).join('; ')}.`;

type SystemError = NodeJS.ErrnoException & {
  readonly address?: string;
  readonly port?: number;
  readonly hostname?: string;
};

const reasonOf = ({ message, cause }: ApplicationError): string =>
  cause instanceof Error ? cause.message : message;
