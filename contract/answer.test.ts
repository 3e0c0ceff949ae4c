// A script or page of a captive portal is never read as the server's answer.
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { ANSWER_HEADER, type HttpAnswer, isOwnSuccess, readAnswer, readRefusal } from './answer.ts'

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
const answer = (
  status: number,
  type: string,
  body: string,
  more: Record<string, string> = {},
): HttpAnswer => ({
  status,
  body,
  header: (name) => ({ 'content-type': type, ...more })[name.toLowerCase()],
})
const reply = v.object({ id: v.string() })

describe.each(scripts)('%s', (_what, type, body) => {
  test('that answers a call with 200 is foreign, for both kinds of server where it is no JSON', () => {
    expect(readAnswer(reply, answer(200, type, body))).toEqual({ is: 'foreign' })
    if (body !== 'null')
      expect(readAnswer(reply, answer(200, type, body), 'specification').is).not.toBe('reply')
  })

  test.each([403, 404, 500])('that answers a call with %i is no refusal of the server', (status) => {
    expect(readRefusal(answer(status, type, body))).toBeUndefined()
    expect(readAnswer(reply, answer(status, type, body))).toEqual({ is: 'foreign' })
  })

  test('that answers an upload with 204 or 200 is no success', () => {
    for (const status of [200, 204]) expect(isOwnSuccess(answer(status, type, body))).toBe(false)
  })
})

test('a script element is foreign even below a header that only our server sets', () => {
  const [, , body] = scripts[2] ?? ['', '', '']
  const forged = { [ANSWER_HEADER.toLowerCase()]: '1' }
  expect(readAnswer(reply, answer(200, 'text/javascript', body, forged))).toEqual({ is: 'foreign' })
  expect(isOwnSuccess(answer(200, 'text/javascript', body, forged))).toBe(false)
})
