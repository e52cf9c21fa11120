// One place that knows where the library for templates is served. It escapes every value that a template shows.

export { live } from '/docs/assets/lit-html/directives/live.js';
export { html, nothing, render, type TemplateResult } from '/docs/assets/lit-html/lit-html.js';
