// Impossible addresses and offsets of uploads, and servers from before the answer header.
import { describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { type ScriptedReply } from '#sw/testing/scripted-server.ts'
import {
  FILE,
  PATH,
  neverAborted,
  FOREIGN_LOSS,
  calls,
  post,
  withFile,
  sending,
  SIZE,
} from '#sw/testing/queue-calls.ts'

describe('a new upload', () => {
  test.each([
    '/login',
    'https://portal.example/login',
    `https://portal.example/upload-chunking-2/${FILE}`,
    '/upload-chunking-2/',
    `/upload-chunking-2/${FILE}/x`,
  ])('whose address would be %s is not created', async (location) => {
    const on = calls([{ status: 201, headers: { Location: location } }])
    const progress: unknown[] = []
    const end = await on.tus.send(
      withFile({ state: { is: 'waiting' } }),
      FILE,
      async (it) => void progress.push(it),
      neverAborted,
    )
    expect([end, progress]).toEqual([FOREIGN_LOSS, []])
  })

  test('stored with an impossible address is requested at its default address', async () => {
    const on = calls([{ status: 200, headers: { 'Upload-Offset': '10', 'Upload-Length': '10' } }])
    await on.tus.send(
      withFile({
        state: { is: 'sending', upload: { acked: 0, url: 'https://todoke.test/login' } },
      }),
      FILE,
      async () => undefined,
      neverAborted,
    )
    expect(on.server.requestLines()).toEqual([`HEAD ${PATH}`])
  })
})

describe('an offset', () => {
  const at = (offset: unknown): ScriptedReply => ({
    status: 200,
    headers: { 'Upload-Offset': String(offset), 'Upload-Length': String(SIZE) },
  })
  const took = (offset: unknown): ScriptedReply => ({
    status: 204,
    headers: { 'Upload-Offset': String(offset) },
  })
  async function send(...answers: ScriptedReply[]) {
    const progress: unknown[] = []
    const end = await calls(answers).tus.send(
      withFile(),
      FILE,
      async (it) => void progress.push(it),
      neverAborted,
    )
    return { end, progress }
  }

  test.each([11, -1, 1.5, 'x'])('of %s in 10 bytes, in reply to HEAD, is no answer', async (offset) => {
    expect(await send(at(offset))).toEqual({ end: FOREIGN_LOSS, progress: [] })
  })
  test.each([11, 3, 'x'])('of %s after bytes 4 to 10 were sent is no answer', async (offset) => {
    expect(await send(at(4), took(offset))).toEqual({ end: FOREIGN_LOSS, progress: [{ offset: 4 }] })
  })
  test('beyond the length in a refusal is no answer', async () => {
    const beyond = {
      status: 409,
      headers: { 'Upload-Offset': '11' },
      body: { error: { code: 'offset_mismatch' } },
    }
    expect((await send(at(4), beyond)).end).toEqual(FOREIGN_LOSS)
  })
})

describe('for servers from before the header existed', () => {
  const older = (it: ScriptedReply): ScriptedReply => ({ ...it, foreign: true })
  test('a refused token is recognised in the reply to HEAD, which has no body', async () => {
    const headers = { 'Content-Type': 'application/json; charset=utf-8', 'X-Request-Id': newId() }
    const on = calls([older({ status: 401, headers })])
    expect(await sending(withFile())(on)).toMatchObject({ is: 'signedOut' })
    expect(on.refused).toEqual(['secret'])
  })
  test('replies of the resumable protocol are recognised by its own header', async () => {
    const tus = { 'Tus-Resumable': '1.0.0' }
    const on = calls([
      older({ status: 200, headers: { ...tus, 'Upload-Offset': '4', 'Upload-Length': '10' } }),
      older({ status: 204, headers: { ...tus, 'Upload-Offset': '10' } }),
    ])
    expect(await sending(withFile())(on)).toEqual({ is: 'ok', value: null })
  })
  test('errors are recognised by their form', async () => {
    const on = calls([older({ status: 403, body: { error: { code: 'forbidden' } } })])
    expect(await on.addPost(post, neverAborted)).toEqual({ is: 'refused', code: 'forbidden' })
  })
})

describe('an upload', () => {
  const at = (offset: number): ScriptedReply => ({
    status: 200,
    headers: { 'Upload-Offset': String(offset), 'Upload-Length': String(SIZE) },
  })
  const refusal = (status: number, code: string): ScriptedReply => ({ status, body: { error: { code } } })
  const missing = refusal(404, 'not_found')
  const ignore = async () => undefined

  test('of a closed account ends its session with the reason', async () => {
    const on = calls([at(0), refusal(403, 'suspended')])
    expect(await sending(withFile())(on)).toEqual({ is: 'signedOut', refused: true, closed: 'suspended' })
    expect(on.refused).toEqual(['secret suspended'])
  })

  test('whose token is refused ends that session once', async () => {
    const on = calls([at(0), refusal(401, 'unauthenticated')])
    expect(await sending(withFile())(on)).toEqual({ is: 'signedOut', refused: true })
    expect(on.refused).toEqual(['secret'])
  })

  test('that cannot be created is retried later; another server is asked for it first', async () => {
    const send = sending(withFile({ state: { is: 'waiting' } }))
    const own = calls([missing])
    expect(await send(own)).toEqual({ is: 'lost' })
    expect(own.server.requestLines()).toEqual(['POST /upload-chunking-2'])
    const other = calls([missing, missing], 'specification')
    expect(await send(other)).toEqual({ is: 'lost' })
    expect(other.server.requestLines()).toEqual([`HEAD ${PATH}`, 'POST /upload-chunking-2'])
  })

  test('that is stopped before it begins sends no request', async () => {
    const on = calls([])
    expect(await on.tus.send(withFile(), FILE, ignore, AbortSignal.abort())).toEqual({ is: 'stopped' })
    expect(on.server.heard).toEqual([])
  })

  test('of a file that the job does not have is refused', async () => {
    const on = calls([])
    expect(await on.tus.send(post, FILE, ignore, neverAborted)).toEqual({
      is: 'refused',
      code: 'bytes_missing',
    })
    expect(on.server.heard).toEqual([])
  })

  test('is removed at the address that the server named, with the owner’s token', async () => {
    const url = 'https://todoke.test/upload-chunking-2/4711'
    const on = calls([{ status: 204 }, missing])
    const job = withFile({ state: { is: 'discarding', url, next: 'remove' } })
    expect(await on.tus.discard(job, FILE, neverAborted)).toEqual({ is: 'ok', value: null })
    expect(await on.tus.discard(withFile(), FILE, neverAborted)).toEqual({ is: 'gone' })
    expect(on.server.requestLines()).toEqual(['DELETE /upload-chunking-2/4711', `DELETE ${PATH}`])
    expect(on.server.heard[0]?.headers).toMatchObject({
      'Tus-Resumable': '1.0.0',
      Authorization: 'Bearer secret',
    })
  })
})
