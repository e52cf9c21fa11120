const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** `/v1/orders/{order_id}/items` tells of an `item_id`. */
const nameOf = (path) => {
  const collection = path.split('/').findLast((part) => part !== '' && !part.startsWith('{')) ?? '';
  return `${collection.replaceAll('-', '_').replace(/s$/, '')}_id`;
};

/**
 * Carries ids on from answers to where they are asked for next, in paths and bodies, in place of the description's
 * examples. What the reader has typed, or emptied, stays.
 */
export const carriedIds = (description) => {
  const known = new Map();
  const listeners = new Set();
  const examples = new Set(JSON.stringify(description).match(uuid));
  /** What this page itself wrote last, by field. */
  const written = new Map();

  const learn = (name, id) => {
    if (typeof id === 'string') known.set(name, id);
  };

  /** Whether nobody but this page has written into a field. */
  const isOurs = (field, value) =>
    written.has(field) ? written.get(field) === value : !value || examples.has(value);

  /** The id that belongs into a field now; undefined when it is there, unknown, or the reader's own affair. */
  const due = (field, name, value) => {
    const id = known.get(name);
    if (id === undefined || id === value || !isOurs(field, value)) return undefined;
    written.set(field, id);
    return id;
  };

  const learnAll = (url, { data }) => {
    const one = Array.isArray(data) ? data[0] : data;
    if (!one) return;
    const path = new URL(url).pathname.replace(uuid, '{id}');
    for (const [name, value] of Object.entries(one)) if (name.endsWith('_id')) learn(name, value);
    learn(nameOf(path), one.id);
    for (const tell of listeners) tell();
  };

  const afterResponse = (response) => {
    if (response.ok && response.obj) learnAll(response.url, response.obj);
    return response;
  };

  /** Asks by itself, so that there is something to begin with. */
  const learnFrom = async (path, key) => {
    const response = await fetch(path, { headers: { Authorization: `Bearer ${key}` } });
    if (response.ok) learnAll(response.url, await response.json());
  };

  /** @param form tells one body from another */
  const carriedInto = (form, text) => {
    let body;
    try {
      body = JSON.parse(text);
    } catch {
      return text;
    }
    const carried = Object.entries(body ?? {}).flatMap(([name, value]) => {
      const id = due(`${form} ${name}`, name, value);
      return id === undefined ? [] : [[name, id]];
    });
    return carried.length === 0 ? text : JSON.stringify({ ...body, ...Object.fromEntries(carried) }, null, 2);
  };

  const plugin = ({ React }) => {
    const { createElement: h, useEffect, useState } = React;
    const useAnswers = () => {
      const [, redraw] = useState(0);
      useEffect(() => {
        const tell = () => redraw((count) => count + 1);
        listeners.add(tell);
        return () => listeners.delete(tell);
      }, []);
    };

    const RequestBodyEditor = (Original) =>
      function CarriedRequestBody(props) {
        useAnswers();
        const { value, defaultValue, onChange } = props;
        useEffect(() => {
          if (typeof value !== 'string') return;
          const carried = carriedInto(defaultValue, value);
          if (carried !== value) onChange(carried);
        });
        return h(Original, props);
      };

    const ParameterRow = (Original, { specActions, specSelectors }) =>
      function CarriedParameterRow(props) {
        useAnswers();
        const { rawParam, pathMethod } = props;
        const value = specSelectors.parameterWithMetaByIdentity(pathMethod, rawParam)?.get('value');
        const name = rawParam.get('name') === 'id' ? nameOf(pathMethod[0]) : rawParam.get('name');
        // What is removed, somebody names themselves.
        const isCarried = rawParam.get('in') === 'path' && pathMethod[1] !== 'delete';
        useEffect(() => {
          const id = isCarried ? due(`${pathMethod.join(' ')} ${name}`, name, value) : undefined;
          if (id !== undefined) specActions.changeParamByIdentity(pathMethod, rawParam, id, false);
        });
        return h(Original, props);
      };

    return { wrapComponents: { RequestBodyEditor, parameterRow: ParameterRow } };
  };

  return { plugin, afterResponse, learnFrom };
};
