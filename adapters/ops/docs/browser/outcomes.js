/** The next step after a successful operation. */
const nextSteps = {
  'GET /v1/products': ['#POST/v1/orders', 'Order it'],
  'POST /v1/orders': ['#POST/v1/payments', 'Pay it'],
  'POST /v1/payments': ['#GET/v1/payments/{id}', 'Look it up'],
};

/** A browser tells a script only that a request failed, not why. */
const noResponse = (h) =>
  h(
    'p',
    { role: 'status' },
    h('b', { className: 'failed' }, 'No response.'),
    ` The request to ${location.origin} failed or was blocked. Check that the server runs, and what the console of the browser says. `,
    'A page of your own also needs ',
    h('a', { href: '/docs/client#in-a-browser' }, 'CORS settings'),
    '.',
  );

/**
 * Shows the outcome above each response, scrolls to it, and links to the next step. A response far below the button that
 * looks like the one before it is easily missed.
 * @param adviceOn returns what to do after a status and the URL and body that were sent, or undefined
 */
export const outcomes = (adviceOn) => {
  const shown = new Set();

  const plugin = ({ React }) => {
    const { createElement: h, useEffect, useRef } = React;
    const LiveResponse = (Original) =>
      function ResponseWithOutcome(props) {
        const { response, path, method, specSelectors } = props;
        const element = useRef(null);
        const header = (name) => response.get('headers')?.[name] ?? response.getIn(['headers', name]);
        const id = header('x-request-id');
        // Once for each response: a page that scrolls while the reader edits the form is a nuisance.
        const status = response.get('status');
        const shownAs = status === undefined ? response : id;
        useEffect(() => {
          if (shownAs === undefined || shown.has(shownAs)) return;
          shown.add(shownAs);
          element.current?.scrollIntoView({ block: 'start' });
        }, [shownAs]);
        if (status === undefined) return h('div', { ref: element, className: 'outcome' }, noResponse(h));
        const request = specSelectors.mutatedRequestFor(path, method);
        const sent = `${request?.get('url')} ${request?.get('body')}`;
        const isReplayed = header('idempotent-replayed') === 'true';
        const [link, label] = (status < 300 && nextSteps[`${method.toUpperCase()} ${path}`]) || [];
        return h(
          'div',
          { ref: element, className: 'outcome' },
          h(
            'p',
            { role: 'status' },
            h('b', { className: status < 400 ? 'succeeded' : 'failed' }, `${status}`),
            isReplayed ? ' The stored response of this key, replayed. Nothing was executed again.' : '',
            adviceOn(status, sent) ?? '',
            link ? h('a', { href: link }, label) : '',
          ),
          h(Original, props),
        );
      };
    return { wrapComponents: { liveResponse: LiveResponse } };
  };

  return { plugin };
};
