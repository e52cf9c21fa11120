/**
 * Idempotency keys as a careful client makes them: each request gets one of its own, which stays while the request
 * stays the same, so that sending it again shows the replay. A request that has been edited gets another. A key that
 * the reader typed is theirs.
 */
export const requestKeys = () => {
  const made = new Set();
  /** What a key of ours was sent with. */
  const sent = new Map();
  /** How the field that showed a key is given another. */
  const fields = new Map();

  const newKey = () => {
    const key = crypto.randomUUID();
    made.add(key);
    return key;
  };

  const beforeRequest = (request) => {
    const key = request.headers['Idempotency-Key'];
    if (!made.has(key)) return request;
    const fingerprint = [request.method, request.url, request.body].join('\n');
    if ((sent.get(key) ?? fingerprint) === fingerprint) {
      sent.set(key, fingerprint);
      return request;
    }
    const other = newKey();
    sent.set(other, fingerprint);
    fields.get(key)?.(other);
    return { ...request, headers: { ...request.headers, 'Idempotency-Key': other } };
  };

  const plugin = ({ React }) => {
    const { createElement: h, useEffect } = React;
    const ParameterRow = (Original, { specActions, specSelectors }) =>
      function KeyedParameterRow(props) {
        const { rawParam, pathMethod, isExecute } = props;
        const isKey = isExecute && rawParam.get('name') === 'Idempotency-Key';
        const value = specSelectors.parameterWithMetaByIdentity(pathMethod, rawParam)?.get('value');
        const fill = (key) => specActions.changeParamByIdentity(pathMethod, rawParam, key, false);
        useEffect(() => {
          if (isKey && value === undefined) fill(newKey());
          else if (isKey) fields.set(value, fill);
        });
        if (!isKey) return h(Original, props);
        return h(
          React.Fragment,
          null,
          h(Original, props),
          h(
            'tr',
            { className: 'key-row' },
            h('td', null),
            h(
              'td',
              null,
              h('button', { type: 'button', className: 'new-key', onClick: () => fill(newKey()) }, 'New key'),
              ' The same request with the same key is answered once. Edit the request, and it gets a new key.',
            ),
          ),
        );
      };
    return { wrapComponents: { parameterRow: ParameterRow } };
  };

  return { plugin, beforeRequest };
};
