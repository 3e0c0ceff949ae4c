// Detects SVG files by their beginning, and refuses files that only look like one.
import { describe, expect, test } from 'vitest'
import { isSvgText } from './svg-text.ts'

describe('an SVG is recognised', () => {
  test.each([
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '<svg/>',
    ' \n<svg>',
    '<s:svg xmlns:s="http://www.w3.org/2000/svg">',
    '\uFEFF<?xml version="1.0"?>\n<!-- <html> -->\n<!DOCTYPE svg [<!ENTITY a "b">]>\n<svg>',
    '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd"><svg>',
    '<!doctype svg><!-- a --><!-- b --><?pi x?><svg>',
  ])('%s', (text) => expect(isSvgText(text)).toBe(true))
})

describe('anything else is not', () => {
  test.each([
    '',
    '<html><svg></svg></html>',
    '<!-- c --><html><svg></svg></html>',
    '<svgx>',
    'svg',
    '<?xml version="1.0"',
    '<!-- <svg>',
    '<!DOCTYPE svg [<svg>',
    '<!DOCTYPE svg',
    '<!DOCTYPE svg [ ] <svg',
  ])('%s', (text) => expect(isSvgText(text)).toBe(false))
})
