import type { Operation, Response } from '../reference/document.ts';
import { type Field, type Form, fieldsOf, formsOf } from '../reference/fields.ts';
import { exampleSamples } from '../reference/panels.ts';
import { parameterField } from '../reference/parameters.ts';
import type { ApiObject, Chapter, Reference } from '../reference/reference.ts';

/** The page of a tag as Markdown, for programs that read. */
export const chapterMarkdown = (reference: Reference, chapter: Chapter): string =>
  [
    `# ${chapter.title}`,
    chapter.description,
    ...chapter.operations.flatMap((operation) => operationBlocks(reference, operation)),
    ...chapter.objects.flatMap((object) => objectBlocks(reference, object)),
  ]
    .filter((block) => block !== '')
    .join('\n\n')
    .concat('\n');

const operationBlocks = (reference: Reference, operation: Operation): readonly string[] => {
  const { method, path, id, summary, description, parameters, body, responses } = operation;
  const [curl] = exampleSamples(reference, operation);
  const fields = parameters.map((parameter) => ({
    ...parameterField(reference.document, parameter),
    type: `${parameter.in}, ${parameterField(reference.document, parameter).type}`,
  }));
  return [
    `## ${summary}`,
    `\`${method} ${path}\` (\`${id}\`)`,
    description,
    ...(fields.length > 0 ? ['### Parameters', fieldLines(reference, fields)] : []),
    ...(body === undefined ? [] : ['### Body', ...shapeBlocks(reference, body.schema)]),
    '### Example',
    ...(curl === undefined ? [] : [codeBlock('sh', curl.text)]),
    ...responses.flatMap(exampleBlocks),
  ];
};

/** Errors have all the same form, which the guide about them shows. */
const exampleBlocks = ({ status, description, example }: Response): readonly string[] =>
  Number(status) >= 300
    ? []
    : [
        `Response ${status}: ${description}`,
        ...(example === undefined ? [] : [codeBlock('json', JSON.stringify(example, null, 2))]),
      ];

const objectBlocks = (reference: Reference, { title, schema }: ApiObject): readonly string[] => [
  `## The ${title} object`,
  ...shapeBlocks(reference, schema),
];

/** The fields of an object, or of each form that it can have. */
const shapeBlocks = (reference: Reference, schema: ApiObject['schema']): readonly string[] => {
  const forms = formsOf(reference.document, schema);
  if (forms.length === 0) return [fieldLines(reference, fieldsOf(reference.document, schema))];
  return forms.flatMap(({ name, fields }: Form) => [`As ${name}:`, fieldLines(reference, fields)]);
};

/** A longer list, as of currencies, is described by its text alone. */
const maxValues = 50;

/** A list of fields; a field that is an object of its own is not repeated. */
const fieldLines = (reference: Reference, fields: readonly Field[], indent = ''): string =>
  fields
    .flatMap((field) => {
      const { name, type, isRequired, role, description, limits, values, schema, children } = field;
      const facts = [type, ...(isRequired ? ['required'] : []), ...(role ? [`${role} only`] : []), ...limits];
      const isShown = values.length > 0 && values.length <= maxValues;
      const shown = isShown ? ` One of ${values.map((value) => `\`${value}\``).join(', ')}.` : '';
      const line = `${indent}- \`${name}\` (${facts.join(', ')}): ${description}${shown}`.trimEnd();
      const isElsewhere = schema !== undefined && reference.findObject(schema) !== undefined;
      const below = isElsewhere ? '' : fieldLines(reference, children, `${indent}  `);
      return below === '' ? [line] : [line, below];
    })
    .join('\n');

const codeBlock = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;
