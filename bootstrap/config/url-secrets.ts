/** Names of parameters whose values are secret, such as `password` of PostgreSQL and `authToken` of libSQL. */
const secretParameter = /pass|pwd|token|secret|key/i;

/** The password of a URL and the secrets among its parameters, as they are written there and decoded. */
export const secretsInUrl = (text: string): readonly string[] => {
  const url = URL.parse(text);
  if (url === null) return [];
  const parameters = [...url.searchParams].filter(([name]) => secretParameter.test(name));
  const secrets = [url.password, ...parameters.map(([, value]) => value)];
  return secrets.flatMap((secret) => [secret, decode(secret)]).filter((secret) => secret !== '');
};

/** The text itself when it cannot be decoded. */
const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
