const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Lists with resources of the demonstration's customer. Later ones replace ids of earlier ones: a pending order can be paid. */
const demoPaths = [
  '/v1/api-keys?limit=1',
  '/v1/reviews?limit=1',
  '/v1/payments?limit=1',
  '/v1/orders?limit=1',
  '/v1/orders?status=pending&limit=1',
  '/v1/orders/{order_id}/items?limit=1',
  '/v1/products?status=active&limit=1',
];

/** The name of the id that a path creates or shows: `/v1/orders/{order_id}/items` has an `item_id`. */
const idNameOf = (path) => {
  const collection = path.split('/').findLast((part) => part !== '' && !part.startsWith('{')) ?? '';
  return `${collection.replaceAll('-', '_').replace(/s$/, '')}_id`;
};

/**
 * Copies ids from responses into the paths and bodies of the next requests, in place of the document's examples. A field
 * that the reader has filled or emptied is never overwritten.
 */
export const idChaining = (openapi) => {
  const ids = new Map();
  const listeners = new Set();
  const examples = new Set(JSON.stringify(openapi).match(uuid));
  /** What this module wrote last, by field. */
  const written = new Map();

  const isUntouched = (field, value) =>
    written.has(field) ? written.get(field) === value : !value || examples.has(value);

  /** The id to write into a field; undefined when it is there already, unknown, or the field is the reader's. */
  const takeIdFor = (field, name, value) => {
    const id = ids.get(name);
    if (id === undefined || id === value || !isUntouched(field, value)) return undefined;
    written.set(field, id);
    return id;
  };

  const learn = (url, { data }) => {
    const resource = Array.isArray(data) ? data[0] : data;
    if (!resource) return;
    const path = new URL(url).pathname.replace(uuid, '{id}');
    const named = Object.entries(resource).filter(([name]) => name.endsWith('_id'));
    for (const [name, id] of [...named, [idNameOf(path), resource.id]])
      if (typeof id === 'string') ids.set(name, id);
    for (const notify of listeners) notify();
  };

  const handleResponse = (response) => {
    if (response.ok && response.obj) learn(response.url, response.obj);
    return response;
  };

  /** Sends requests by itself, so that the first forms of the reader have ids of the demonstration. */
  const learnFromDemo = async (key) => {
    for (const path of demoPaths) {
      const url = path.replace(/\{(\w+)\}/, (_braces, name) => ids.get(name));
      const response = await fetch(url, { headers: { Authorization: `Bearer ${key}` } });
      if (response.ok) learn(response.url, await response.json());
    }
  };

  /** Whether a text has an id of the document's examples, which names nothing. */
  const hasExample = (text) => text.match(uuid)?.some((id) => examples.has(id)) ?? false;

  /** @param form identifies the body among others */
  const withIds = (form, text) => {
    let body;
    try {
      body = JSON.parse(text);
    } catch {
      return text;
    }
    const changed = Object.entries(body ?? {}).flatMap(([name, value]) => {
      const id = takeIdFor(`${form} ${name}`, name, value);
      return id === undefined ? [] : [[name, id]];
    });
    return changed.length === 0 ? text : JSON.stringify({ ...body, ...Object.fromEntries(changed) }, null, 2);
  };

  const plugin = ({ React }) => {
    const { createElement: h, useEffect, useState } = React;
    const useKnownIds = () => {
      const [, redraw] = useState(0);
      useEffect(() => {
        const notify = () => redraw((count) => count + 1);
        listeners.add(notify);
        return () => listeners.delete(notify);
      }, []);
    };

    const RequestBodyEditor = (Original) =>
      function ChainedRequestBody(props) {
        useKnownIds();
        const { value, defaultValue, onChange } = props;
        useEffect(() => {
          if (typeof value !== 'string') return;
          const filled = withIds(defaultValue, value);
          if (filled !== value) onChange(filled);
        });
        return h(Original, props);
      };

    const ParameterRow = (Original, { specActions, specSelectors }) =>
      function ChainedParameterRow(props) {
        useKnownIds();
        const { rawParam, pathMethod } = props;
        const value = specSelectors.parameterWithMetaByIdentity(pathMethod, rawParam)?.get('value');
        const name = rawParam.get('name') === 'id' ? idNameOf(pathMethod[0]) : rawParam.get('name');
        // A reader must name what to delete: no id is filled in there.
        const isChained = rawParam.get('in') === 'path' && pathMethod[1] !== 'delete';
        useEffect(() => {
          const id = isChained ? takeIdFor(`${pathMethod.join(' ')} ${name}`, name, value) : undefined;
          if (id !== undefined) specActions.changeParamByIdentity(pathMethod, rawParam, id, false);
        });
        return h(Original, props);
      };

    return { wrapComponents: { RequestBodyEditor, parameterRow: ParameterRow } };
  };

  return { plugin, handleResponse, learnFromDemo, hasExample };
};
