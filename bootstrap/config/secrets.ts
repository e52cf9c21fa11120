import type { Config } from './config.ts';

/** What is set and must be shown nowhere. */
export const secretsIn = ({ adminApiKey, payment, database, tls }: Config): readonly string[] => {
  const replicas = (database.kind === 'postgres' && database.replicas) || [];
  const passwords = [database.url, ...replicas].flatMap(passwordsIn);
  return [
    adminApiKey ?? '',
    payment.provider === 'stripe' ? payment.secretKey : '',
    ...passwords,
    ...passwords.map(decoded),
    tls?.key ?? '',
  ].filter((secret) => secret !== '');
};

/** PostgreSQL takes one in the place that URLs have for it, and among the parameters. */
const passwordsIn = (text: string): readonly string[] => {
  const url = URL.parse(text);
  return url === null ? [] : [url.password, ...url.searchParams.getAll('password')];
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
