/**
 * Shows requests with the address that clients use. The page sends them to its own origin, where the API is served beside the
 * docs, but a copied command belongs to the API's own address, which the document names.
 */
export const publicAddress = ({ servers = [] }) => {
  const [{ url = '/' } = {}] = servers;
  const address = new URL(url, location.href);
  const base = address.href.replace(/\/$/, '');
  const isElsewhere = address.origin !== location.origin;

  const withAddress = (request) => {
    const url = request?.get('url');
    if (!isElsewhere || url === undefined) return request;
    const sent = new URL(url, location.href);
    if (sent.origin !== location.origin) return request;
    return request.set('url', `${base}${sent.pathname}${sent.search}`);
  };

  const shown =
    (select) =>
    (_state, ...names) =>
      withAddress(select(...names));
  return { statePlugins: { spec: { wrapSelectors: { mutatedRequestFor: shown, requestFor: shown } } } };
};
