// @ts-nocheck
import { forget, keep, kept } from './kept.ts';

const name = 'portico-key';

export const storedKey = () => kept(name);
export const storeKey = (key) => keep(name, key);
export const forgetKey = () => forget(name);

/** The administrator's key of the demonstration, where this server offers one to a page on this machine. */
export const fetchDemoKey = async () => {
  const { keys: url } = document.body.dataset;
  if (url === undefined) return undefined;
  try {
    const response = await fetch(url);
    return response.ok ? (await response.json()).admin : undefined;
  } catch {
    return undefined;
  }
};
