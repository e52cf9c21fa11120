import { forget, keep, kept } from './kept.ts';

const name = 'portico-key';

export const storedKey = (): string | undefined => kept(name);
export const storeKey = (key: string): boolean => keep(name, key);
export const forgetKey = (): void => forget(name);

/** The administrator's key of the demonstration, where this server offers one to a page on this machine. */
export const fetchDemoKey = async (): Promise<string | undefined> => {
  const url = document.body.dataset['keys'];
  if (url === undefined) return undefined;
  try {
    const response = await fetch(url);
    const keys: { readonly admin?: string } = response.ok ? await response.json() : {};
    return keys.admin;
  } catch {
    return undefined;
  }
};
