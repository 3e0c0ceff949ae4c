// Answers of @tus/server in the codes of the contract.
import { expect, test } from 'vitest'
import { ApiError } from '#server/http/errors.ts'
import { refusalOf } from './refusals.ts'

test('a refusal of our own keeps its code, whichever status the protocol gave it', () => {
  const cause = new ApiError('upload_held')
  expect(refusalOf(404, cause)).toBe(cause)
  expect(refusalOf(500, cause)).toBe(cause)
})

test.each([
  [400, 'bad_request', 400],
  [403, 'bad_request', 400],
  [404, 'not_found', 404],
  [409, 'offset_mismatch', 409],
  [410, 'gone', 410],
  [412, 'bad_request', 412],
  [413, 'too_large', 413],
  [423, 'conflict', 409],
] as const)('status %i of the protocol is %s with status %i', (status, code, answered) => {
  expect(refusalOf(status, new Error('inside'))).toMatchObject({ code, status: answered })
})

test('a status without a code is an error of the server: what was thrown, or the status in words', () => {
  const cause = new Error('no such disk')
  expect(refusalOf(500, cause)).toBe(cause)
  expect(refusalOf(500, { status_code: 500 })).toEqual(new Error('upload answered 500: {"status_code":500}'))
})
