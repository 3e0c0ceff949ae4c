// Error replies of @tus/server as error codes of the contract.
import { expect, test } from 'vitest'
import { ApiError } from '#server/http/errors.ts'
import { refusalOf } from './refusals.ts'

test('an ApiError stays as it is, whatever the status of the protocol', () => {
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
] as const)('status %i of the protocol is %s with status %i', (status, code, expected) => {
  expect(refusalOf(status, new Error('inside'))).toMatchObject({ code, status: expected })
})

test('a status without a code is the thrown error, or an error that names the status', () => {
  const cause = new Error('no such disk')
  expect(refusalOf(500, cause)).toBe(cause)
  const named = new Error('@tus/server replied 500: {"status_code":500}')
  expect(refusalOf(500, { status_code: 500 })).toEqual(named)
})
