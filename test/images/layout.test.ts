import { expect, test } from 'vitest';
import { layoutWidths } from '../../src/images/layout.ts';

test('constrained has breakpoints up to twice the width', () => {
  expect(layoutWidths('constrained', 400, 8192)).toEqual({
    widths: [400, 800, 640, 750],
    sizes: '(min-width: 400px) 400px, 100vw',
  });
});

test('fixed has densities of 1 and 2', () => {
  expect(layoutWidths('fixed', 400, 8192)).toEqual({ widths: [400, 800], sizes: '400px' });
});

test('full-width has all breakpoints', () => {
  expect(layoutWidths('full-width', undefined, 8192, [300, 600])).toEqual({
    widths: [300, 600],
    sizes: '100vw',
  });
});

test('no widths without a layout or a width', () => {
  expect(layoutWidths('none', 400, 8192)).toEqual({ widths: [], sizes: undefined });
  expect(layoutWidths('constrained', undefined, 8192)).toEqual({ widths: [], sizes: undefined });
});

test('widths are limited to that of the image', () => {
  expect(layoutWidths('fixed', 400, 500).widths).toEqual([400, 500]);
});
