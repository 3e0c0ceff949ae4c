// Answers of a server that has only the calls of the specification (sections 7, 8).
import { describe, expect, test } from 'vitest'
import { portal, type ScriptedReply } from '#sw/testing/scripted-server.ts'
import { POST, FILE, neverAborted, FOREIGN_LOSS, calls, post, withFile } from '#sw/testing/queue-calls.ts'

describe('with a server that speaks only the calls of the specification', () => {
  const spec = (answer: ScriptedReply) => calls([{ ...answer, foreign: true }], 'specification')
  test.each([true, { data: true }, { result: true }, 'released', 1])(
    'a release answered %j is done',
    async (body) => {
      const on = spec({ status: 200, body: typeof body === 'string' ? [body] : body })
      expect(await on.release(post, POST, neverAborted)).toEqual({ is: 'ok', value: null })
    },
  )
  test.each([false, null, 0, '', { data: false }, { result: false }, { success: false }, { error: 'no' }])(
    'a release answered %j fails (section 7)',
    async (body) => {
      const on = spec({ status: 200, ...(body === '' ? {} : { body }) })
      expect(await on.release(post, POST, neverAborted)).toEqual({ is: 'refused', code: 'internal' })
    },
  )
  test.each([{}, { data: [] }, { data: [{ item: {} }] }])(
    'an addition answered %j fails, because it names no post (section 8)',
    async (body) => {
      const on = spec({ status: 200, body })
      expect(await on.addPost(post, neverAborted)).toEqual({ is: 'refused', code: 'no_post_id' })
    },
  )
  test('the ids of a post and a video may be numbers', async () => {
    const on = spec({ status: 200, body: { data: { item: { id: 7, video_id: 8 } } } })
    expect(await on.addPost(post, neverAborted)).toEqual({ is: 'ok', value: { postId: '7', videoId: '8' } })
  })
  test.each([
    [403, { message: 'no' }, { is: 'refused', code: 'forbidden' }],
    [422, undefined, { is: 'refused', code: 'invalid' }],
    [404, { message: 'no' }, { is: 'gone' }],
    [503, undefined, { is: 'lost' }],
  ])('a refusal %i is read by its status, with any body: %j', async (status, body, end) => {
    expect(await spec({ status, body }).release(post, POST, neverAborted)).toEqual(end)
  })
  test('a refused token is recognised without a code', async () => {
    const on = spec({ status: 401 })
    expect(await on.release(post, POST, neverAborted)).toMatchObject({ is: 'signedOut' })
    expect(on.refused).toEqual(['secret'])
  })
  test('an upload is at the address that the server names, without this project’s headers', async () => {
    const on = calls(
      [
        { status: 404, foreign: true },
        { status: 201, headers: { Location: 'https://files.example/u/4711' }, foreign: true },
        { status: 204, headers: { 'Upload-Offset': '10' }, foreign: true },
      ],
      'specification',
    )
    const progress: unknown[] = []
    expect(
      await on.tus.send(
        withFile({ state: { is: 'waiting' } }),
        FILE,
        async (it) => void progress.push(it),
        neverAborted,
      ),
    ).toEqual({
      is: 'ok',
      value: null,
    })
    expect(progress[0]).toEqual({ url: 'https://files.example/u/4711' })
  })
  test.each([200, 403, 404])('a page with status %i counts as no answer', async (status) => {
    const on = calls([portal(status)], 'specification')
    expect(await on.release(post, POST, neverAborted)).toEqual(FOREIGN_LOSS)
  })
})
