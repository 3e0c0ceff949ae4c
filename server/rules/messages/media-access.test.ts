// Tests the rule of who reads the files of a message.
import { describe, expect, test } from 'vitest'
import { type FileReading, mayReadFiles } from './media-access.ts'

const readable: FileReading = {
  isSender: false,
  state: 'accepted',
  isPresent: true,
  isBlocked: false,
  isUnsent: false,
  isHidden: false,
}

test('only the two people of a conversation may read files of its messages', () => {
  expect(mayReadFiles(readable)).toBe(true)
  expect(mayReadFiles(undefined)).toBe(false)
})

test.each([
  [{ isPresent: false }],
  [{ isBlocked: true }],
  [{ isUnsent: true }],
  [{ isHidden: true }],
] satisfies [Partial<FileReading>][])('%j refuses the recipient and the sender', (change) => {
  expect(mayReadFiles({ ...readable, ...change })).toBe(false)
  expect(mayReadFiles({ ...readable, isSender: true, ...change })).toBe(false)
})

describe('a message request', () => {
  test.each([
    ['received', true],
    ['accepted', true],
    ['requested', false],
    ['declined', false],
  ] as const)('that is %s is readable for its recipient: %s', (state, expected) => {
    expect(mayReadFiles({ ...readable, state })).toBe(expected)
  })

  test('is readable for its sender, whatever its state', () => {
    for (const state of ['received', 'requested', 'declined'] as const)
      expect(mayReadFiles({ ...readable, isSender: true, state })).toBe(true)
  })
})
