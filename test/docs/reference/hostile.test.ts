import { expect } from 'chai';
import { document, renderReference } from './rendered.ts';

const hostile = `"><script>alert(1)</script>'<img src=x onerror=alert(2)>[a](javascript:alert(3))![b](https://x.example/c) </code>`;

/** Texts of the document that pages show. Names of paths, tags and schemas are those of the program itself. */
const isShown = (name: string): boolean => /^(description|summary|title|pattern|default|const)$/.test(name);

const poisoned = (node: unknown, name = ''): unknown => {
  if (Array.isArray(node))
    return node.map((each) => poisoned(each, /^(enum|examples)$/.test(name) ? 'const' : name));
  if (typeof node === 'string') return isShown(name) ? `${node} ${hostile}` : node;
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).map(([key, value]) => {
    if (name === 'properties') return [`${key}${hostile}`, poisoned(value)];
    const isValue = key === 'example' || key === 'value' || name === 'example';
    return [key, poisoned(value, isValue && typeof value === 'string' ? 'const' : key)];
  });
  return Object.fromEntries(entries);
};

describe('The reference of a document with hostile texts', () => {
  it('shows them as texts', async () => {
    const pages = await renderReference(poisoned(document));
    expect(pages.size).to.be.greaterThan(15);
    for (const [path, page] of pages) {
      expect(page, path).to.include('&lt;script&gt;alert(1)');
      const tags = [...page.matchAll(/<[a-z][^>]*>/gi)].map(([tag]) => tag);
      const foreign = tags.filter(
        (tag) =>
          (/^<script/i.test(tag) && !/^<script src="\/docs\/assets\/[\w./-]+"/.test(tag)) ||
          (/^<img/i.test(tag) && !tag.startsWith('<img src="/docs/assets/')) ||
          / (href|src)="(?!\/|#|https:\/\/www\.standardwebhooks\.com)/.test(tag) ||
          / on\w+=/.test(tag.replaceAll(/"[^"]*"/g, '""')),
      );
      expect(foreign, path).to.deep.equal([]);
    }
  });
});
