/** Where somebody goes on who has done this. */
const onward = {
  'GET /v1/products': ['#POST/v1/orders', 'Order it'],
  'POST /v1/orders': ['#POST/v1/payments', 'Pay it'],
  'POST /v1/payments': ['#GET/v1/payments/{id}', 'Look it up'],
};

/**
 * Shows above each answer what came of the request, brings it into sight, and says where to go on. An answer that stands
 * far below the button, and looks like the one before it, is easily missed.
 * @param adviceOn what to do after a status, if this page knows
 */
export const outcomes = (adviceOn) => {
  const seen = new Set();

  const plugin = ({ React }) => {
    const { createElement: h, useEffect, useRef } = React;
    const LiveResponse = (Original) =>
      function ToldResponse(props) {
        const { response, path, method } = props;
        const place = useRef(null);
        const header = (name) => response.get('headers')?.[name] ?? response.getIn(['headers', name]);
        const id = header('x-request-id');
        // Once for each answer: what moves while somebody works on the form is a nuisance.
        useEffect(() => {
          if (id === undefined || seen.has(id)) return;
          seen.add(id);
          place.current?.scrollIntoView({ block: 'start' });
        }, [id]);
        const status = response.get('status');
        const isReplayed = header('idempotent-replayed') === 'true';
        const [link, words] = (status < 300 && onward[`${method.toUpperCase()} ${path}`]) || [];
        return h(
          'div',
          { ref: place, className: 'outcome' },
          h(
            'p',
            { role: 'status' },
            h('b', { className: status < 400 ? 'done' : 'refused' }, `${status}`),
            isReplayed
              ? ' The answer that the same request got before, replayed. Nothing was done again.'
              : '',
            adviceOn(status) ?? '',
            link ? h('a', { href: link }, words) : '',
          ),
          h(Original, props),
        );
      };
    return { wrapComponents: { liveResponse: LiveResponse } };
  };

  return { plugin };
};
