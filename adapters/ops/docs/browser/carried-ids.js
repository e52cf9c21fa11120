const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** `/v1/orders/{order_id}/items` tells of an `item_id`. */
const nameOf = (path) => {
  const collection = path.split('/').findLast((part) => part !== '' && !part.startsWith('{')) ?? '';
  return `${collection.replaceAll('-', '_').replace(/s$/, '')}_id`;
};

/**
 * Carries ids on from answers to where they are asked for next, in paths and bodies, in place of the description's
 * examples. What the reader has typed stays.
 */
export const carriedIds = (description) => {
  const known = new Map();
  const replaceable = new Set(['', ...(JSON.stringify(description).match(uuid) ?? [])]);
  const listeners = new Set();

  const learn = (name, id) => {
    if (typeof id !== 'string') return;
    known.set(name, id);
    replaceable.add(id);
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

  /** The body with the ids that are known; the very same text when there is nothing to carry. */
  const carriedInto = (text) => {
    let body;
    try {
      body = JSON.parse(text);
    } catch {
      return text;
    }
    const carried = Object.entries(body ?? {}).filter(
      ([name, value]) => known.has(name) && replaceable.has(value) && known.get(name) !== value,
    );
    if (carried.length === 0) return text;
    for (const [name] of carried) body[name] = known.get(name);
    return JSON.stringify(body, null, 2);
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
        const { value, onChange } = props;
        useEffect(() => {
          if (typeof value !== 'string') return;
          const carried = carriedInto(value);
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
        const id = isCarried ? known.get(name) : undefined;
        useEffect(() => {
          if (id === undefined || id === value || (value && !replaceable.has(value))) return;
          specActions.changeParamByIdentity(pathMethod, rawParam, id, false);
        });
        return h(Original, props);
      };

    return { wrapComponents: { RequestBodyEditor, parameterRow: ParameterRow } };
  };

  return { plugin, afterResponse, learnFrom };
};
