/**
 * Names the fields of the forms for screen readers and voice control. Swagger UI shows a field's name in another column, which
 * the field does not refer to.
 */
export const labels = ({ React }) => {
  const { createElement: h, useEffect, useRef } = React;
  const named = (Original, nameOf) =>
    function NamedField(props) {
      const element = useRef(null);
      useEffect(() => {
        for (const field of element.current.querySelectorAll('input, select, textarea'))
          if (!field.ariaLabel) field.ariaLabel = nameOf(props);
      });
      return h('div', { ref: element, className: 'named-field' }, h(Original, props));
    };
  return {
    wrapComponents: {
      JsonSchemaForm: (Original) => named(Original, ({ description }) => description ?? null),
      RequestBodyEditor: (Original) => named(Original, () => 'Request body'),
    },
  };
};
