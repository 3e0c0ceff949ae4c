// What counts as the server's response.
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import {
  RESPONSE_HEADER,
  type ReceivedResponse,
  isOwnSuccess,
  parseResponse,
  readRefusal,
} from './response.ts'

const redirect = 'location.href = "http://portal.example/login"'
const scripts: readonly (readonly [string, string, string])[] = [
  ['a script', 'text/javascript', redirect],
  ['a script that calls itself JSON', 'application/json', redirect],
  ['a script element without a page around it', 'text/javascript', `<script>${redirect}</script>`],
  [
    'a script element that calls itself JSON',
    'application/json; charset=utf-8',
    ` \n<script>${redirect}</script>`,
  ],
  ['a script of nothing but a word that is JSON', 'text/javascript', 'null'],
]
const response = (
  status: number,
  type: string,
  body: string,
  more: Record<string, string> = {},
): ReceivedResponse => ({
  status,
  body,
  header: (name) => ({ 'content-type': type, ...more })[name.toLowerCase()],
})
const reply = v.object({ id: v.string() })

describe.each(scripts)('%s', (_what, type, body) => {
  test('as a response with status 200 is foreign, for both kinds of server unless it is JSON', () => {
    expect(parseResponse(reply, response(200, type, body))).toEqual({ is: 'foreign' })
    if (body !== 'null')
      expect(parseResponse(reply, response(200, type, body), 'specification').is).not.toBe('reply')
  })

  test.each([403, 404, 500])('as a response with status %i is no refusal of the server', (status) => {
    expect(readRefusal(response(status, type, body))).toBeUndefined()
    expect(parseResponse(reply, response(status, type, body))).toEqual({ is: 'foreign' })
  })

  test('as a response to an upload with status 204 or 200 is no success', () => {
    for (const status of [200, 204]) expect(isOwnSuccess(response(status, type, body))).toBe(false)
  })
})

test('a script element is foreign even with a header that only our server sets', () => {
  const [, , body] = scripts[2] ?? ['', '', '']
  const forged = { [RESPONSE_HEADER.toLowerCase()]: '1' }
  expect(parseResponse(reply, response(200, 'text/javascript', body, forged))).toEqual({ is: 'foreign' })
  expect(isOwnSuccess(response(200, 'text/javascript', body, forged))).toBe(false)
})

test('a field code of a newer server is left out, and the error keeps its code', () => {
  const error = { code: 'upload_incomplete', fields: { a: 'too_small', b: 'a_code_of_next_year' } }
  expect(readRefusal(response(409, 'application/json; charset=utf-8', JSON.stringify({ error })))).toEqual({
    is: 'refusal',
    status: 409,
    code: 'upload_incomplete',
    fields: { a: 'too_small' },
  })
})
