import { type SampleRequest, samplesOf } from '../samples/index.ts';
import { highlight } from './highlight.ts';

/** Shows a request in each language, in place of the example. @param element with a `code` for each language */
export const showSamples = (element: Element, request: SampleRequest): void => {
  for (const { language, text } of samplesOf(request)) {
    const code = element.querySelector(`code[data-language="${language}"]`);
    if (code !== null && code.textContent !== text) code.replaceChildren(highlight(text, language));
  }
};
