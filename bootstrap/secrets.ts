import type { Config } from './config.ts';

/** What is set and must be shown nowhere. */
export const secretsIn = ({ adminApiKey, payment, database, tls }: Config): readonly string[] => {
  const replicas = (database.kind === 'postgres' && database.replicas) || [];
  const passwords = [database.url, ...replicas].map((url) => URL.parse(url)?.password ?? '');
  return [
    adminApiKey ?? '',
    payment.provider === 'stripe' ? payment.secretKey : '',
    ...passwords,
    ...passwords.map(decoded),
    tls?.key ?? '',
  ].filter((secret) => secret !== '');
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
