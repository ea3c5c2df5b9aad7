import { describe, expect, test } from 'vitest';
import type { MeasuredImages } from '../../../src/astro/collection/make/collection-images.ts';
import { type BodyOptions, renderBody } from '../../../src/astro/collection/make/render-body.ts';
import { openSanitizer } from '../../../src/entries/sanitize/item-sanitizer.ts';
import { field } from '../../../src/index.ts';
import { wire } from '../../models/content.ts';

const models = {
  page: {
    html: field.flexibleText(),
    safeHtml: field.flexibleText({ sanitize: true }),
    markdown: field.flexibleText({ format: 'markdown' }),
    safeMarkdown: field.flexibleText({ format: 'markdown', sanitize: true }),
  },
};

const bodyIn = (luid: string, isMarkdown = false) => ({
  model: 'page',
  body: { luid, isMarkdown },
  kept: undefined,
});

/** Renders a page. Its Markdown becomes `html`, with one heading. */
async function render(options: Partial<BodyOptions>, fields: Record<string, unknown>, html = '') {
  const metadata = { headings: [{ depth: 1, slug: 'top', text: 'Top' }] };
  const renderMarkdown = async () => ({ html, metadata });
  const sanitizer = await openSanitizer(models);
  return renderBody(
    { models, settings: bodyIn('html'), sanitizer, images: undefined, renderMarkdown, ...options },
    wire('page', fields),
  );
}

describe('there is no body', () => {
  test('if the loader has no `body`', async () => {
    expect(
      await render({ settings: { model: 'page', body: undefined, kept: undefined } }, { html: '<p>a</p>' }),
    ).toEqual({});
  });

  test('if the field is empty', async () => {
    expect(await render({}, { html: null })).toEqual({});
  });
});

describe('HTML', () => {
  test('gets ids at its headings, and is kept as the body', async () => {
    expect(await render({}, { html: '<h2>First part</h2>' })).toEqual({
      body: '<h2>First part</h2>',
      rendered: {
        html: '<h2 id="first-part">First part</h2>',
        metadata: { headings: [{ depth: 2, slug: 'first-part', text: 'First part' }] },
      },
    });
  });

  test('gets ids with the prefix of sanitized content if the field has `sanitize`', async () => {
    const { rendered } = await render({ settings: bodyIn('safeHtml') }, { safeHtml: '<h2>First part</h2>' });
    expect(rendered?.html).toBe('<h2 id="user-content-first-part">First part</h2>');
  });
});

describe('Markdown', () => {
  const settings = bodyIn('markdown', true);
  const safePlan = bodyIn('safeMarkdown', true);

  test('is rendered by Astro, and is kept as the body', async () => {
    expect(await render({ settings }, { markdown: '# Top' }, '<h1 id="top">Top</h1>')).toEqual({
      body: '# Top',
      rendered: {
        html: '<h1 id="top">Top</h1>',
        metadata: { headings: [{ depth: 1, slug: 'top', text: 'Top' }] },
      },
    });
  });

  test('is sanitized after rendering if the field has `sanitize`, with prefixed heading slugs', async () => {
    const html = '<h1 id="top" onclick="x">Top</h1><script>x</script>';
    const { rendered } = await render({ settings: safePlan }, { safeMarkdown: '# Top' }, html);
    expect(rendered?.html).toBe('<h1 id="user-content-top">Top</h1>');
    expect(rendered?.metadata?.headings).toEqual([{ depth: 1, slug: 'user-content-top', text: 'Top' }]);
  });

  test('is not sanitized if only other fields have `sanitize`', async () => {
    const html = '<p onclick="x">a</p>';
    expect((await render({ settings }, { markdown: 'a' }, html)).rendered?.html).toBe(html);
  });

  test('shows images that Astro has marked, and makes them responsive', async () => {
    const html = `<img __ASTRO_IMAGE_="{&quot;src&quot;:&quot;a.jpg&quot;}">`;
    const makeResponsive = (unmarked: string) => unmarked.replace('src="a.jpg"', 'srcset="a.jpg 1x"');
    const images = { makeResponsive } as Partial<MeasuredImages> as MeasuredImages;
    const { rendered } = await render({ settings, images }, { markdown: '![](a.jpg)' }, html);
    expect(rendered?.html).toBe('<img srcset="a.jpg 1x" >');
  });
});
