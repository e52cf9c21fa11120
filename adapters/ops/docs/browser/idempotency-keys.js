/**
 * Idempotency keys as a careful client makes them: each request has a key of its own, and sending it again unchanged shows
 * the replay. An edited request gets a new key; a key that the reader typed is never replaced.
 */
export const idempotencyKeys = () => {
  const generated = new Set();
  /** The request that each generated key was sent with. */
  const fingerprints = new Map();
  /** Replaces the key in the field that shows it. */
  const setters = new Map();

  const newKey = () => {
    const key = crypto.randomUUID();
    generated.add(key);
    return key;
  };

  const beforeRequest = (request) => {
    const key = request.headers['Idempotency-Key'];
    if (!generated.has(key)) return request;
    const fingerprint = [request.method, request.url, request.body].join('\n');
    if ((fingerprints.get(key) ?? fingerprint) === fingerprint) {
      fingerprints.set(key, fingerprint);
      return request;
    }
    const replacement = newKey();
    fingerprints.set(replacement, fingerprint);
    setters.get(key)?.(replacement);
    return { ...request, headers: { ...request.headers, 'Idempotency-Key': replacement } };
  };

  const plugin = ({ React }) => {
    const { createElement: h, useEffect } = React;
    const ParameterRow = (Original, { specActions, specSelectors }) =>
      function IdempotencyKeyRow(props) {
        const { rawParam, pathMethod, isExecute } = props;
        const isKey = isExecute && rawParam.get('name') === 'Idempotency-Key';
        const value = specSelectors.parameterWithMetaByIdentity(pathMethod, rawParam)?.get('value');
        const setKey = (key) => specActions.changeParamByIdentity(pathMethod, rawParam, key, false);
        useEffect(() => {
          if (isKey && value === undefined) setKey(newKey());
          else if (isKey) setters.set(value, setKey);
        });
        if (!isKey) return h(Original, props);
        const button = { type: 'button', className: 'new-key', onClick: () => setKey(newKey()) };
        const hint =
          ' The same request with the same key is executed once. An edited request gets a new key.';
        return h(
          React.Fragment,
          null,
          h(Original, props),
          h(
            'tr',
            { className: 'key-row' },
            h('td', null),
            h('td', null, h('button', button, 'New key'), hint),
          ),
        );
      };
    return { wrapComponents: { parameterRow: ParameterRow } };
  };

  return { plugin, beforeRequest };
};
