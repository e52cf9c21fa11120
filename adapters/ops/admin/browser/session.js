/* The key is kept for this tab: `sessionStorage` ends with it, and no other tab can read it. */

const name = 'portico-key';

export const storedKey = () => sessionStorage.getItem(name) ?? undefined;
export const storeKey = (key) => sessionStorage.setItem(name, key);
export const forgetKey = () => sessionStorage.removeItem(name);

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
