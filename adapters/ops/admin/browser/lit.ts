// One place that knows where the library for templates is served. It escapes every value that a template shows.

export { live } from '../lit-html/directives/live.js';
export { repeat } from '../lit-html/directives/repeat.js';
export { html, nothing, render, svg, type TemplateResult } from '../lit-html/lit-html.js';
