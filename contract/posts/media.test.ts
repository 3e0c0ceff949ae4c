// When processing a failed file again is offered.
import { expect, test } from 'vitest'
import { maySucceed } from './media.ts'

test('a broken or too large file is processed again only by a newer version; any other at any time', () => {
  expect(maySucceed({ failure: 'unreadable' })).toBe(false)
  expect(maySucceed({ failure: 'too_large' })).toBe(false)
  expect(maySucceed({ failure: 'unreadable', newer_maker: true })).toBe(true)
  expect(maySucceed({ failure: 'gave_up' })).toBe(true)
  expect(maySucceed({ failure: 'no_sandbox', newer_maker: true })).toBe(true)
})
