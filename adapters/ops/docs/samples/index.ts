import { curl } from './curl.ts';
import { python } from './python.ts';
import type { SampleRequest } from './request.ts';
import { typescript } from './typescript.ts';

export { exampleValues, fieldId, requestOf } from './form.ts';
export { headersOf, idNameOf, type SampleRequest, urlOf } from './request.ts';

/** A request, in one language. */
export interface Sample {
  /** Of the tab, of the attribute `data-language`, and of the reader's choice that is kept. */
  readonly language: 'curl' | 'typescript' | 'python';
  readonly title: string;
  readonly text: string;
}

/** Writes a request in each language. */
export const samplesOf = (request: SampleRequest): readonly Sample[] => [
  { language: 'curl', title: 'curl', text: curl(request) },
  { language: 'typescript', title: 'TypeScript', text: typescript(request) },
  { language: 'python', title: 'Python', text: python(request) },
];
