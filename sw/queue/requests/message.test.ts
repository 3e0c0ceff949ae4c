// The request of a message with files: one for all of them.
import { expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import type { JobFile } from '#device/jobs/file-row.ts'
import { newFile } from '#device/jobs/new-files.ts'
import { messageJob } from '#device/testing/jobs.ts'
import { calls, DIGEST, neverAborted, OWNER, user } from '#sw/testing/queue-calls.ts'
import { scripted, type ScriptedReply, stillClock, storeWith } from '#sw/testing/scripted-server.ts'
import { Ended } from './outcome.ts'
import { createMessageApi } from './message.ts'

const [RECIPIENT, FIRST, SECOND, RENAMED] = [newId(), newId(), newId(), newId()]
const sent = (id: string, url: string | null): JobFile => ({
  ...newFile({ id, size: 3 }),
  state: { is: 'sent', url },
})
const form = { recipientId: RECIPIENT, content: '夕焼け', replyTo: null, about: '蓮' }
const job = messageJob([], {
  ownerId: OWNER,
  form,
  files: [sent(FIRST, null), sent(SECOND, `/upload-chunking-2/${RENAMED}`)],
})
/** Submits it from a device whose digests are calculated so. */
async function submitFrom(digest: (id: string) => Promise<string | undefined>) {
  const server = scripted([() => ({ status: 200, body: reply })])
  const store = storeWith({ session: async () => ({ token: 'secret', user }), digest })
  const api = createMessageApi({
    fetch: server.fetch,
    clock: stillClock,
    store,
    api: 'https://todoke.test/api',
  })
  const end = await api.submitMessage(job, neverAborted)
  return { end, requests: server.heard }
}
const reply = { conversation_id: newId(), message: null }
const submit = (answer: ScriptedReply) => {
  const on = calls([answer])
  return { on, end: on.submitMessage(job, neverAborted) }
}

test('the message has the id of its job and names its uploads in their order, by the server’s names', async () => {
  const { on, end } = submit({ status: 200, body: reply })
  expect(await end).toEqual({ is: 'ok', value: { id: job.id } })
  expect(on.server.requestLines()).toEqual([`POST /api/conversations/${RECIPIENT}/messages`])
  const body = {
    id: job.id,
    content: '夕焼け',
    media: [FIRST, RENAMED],
    digests: [DIGEST, DIGEST],
    reply_to: null,
  }
  expect(JSON.parse(String(on.server.heard[0]?.body))).toEqual(body)
  expect(on.heard).toEqual([{ id: job.id, reply }])
})

test('a reply to a message reaches pages as one to a mutation of its owner', async () => {
  const server = scripted([() => ({ status: 200, body: reply })])
  const store = storeWith({ session: async () => ({ token: 'secret', user }), digest: async () => DIGEST })
  const answered: unknown[] = []
  const api = createMessageApi({
    fetch: server.fetch,
    clock: stillClock,
    store,
    api: 'https://todoke.test/api',
    onReply: (it, json) => answered.push([it, json]),
  })
  await api.submitMessage(job, neverAborted)
  const body = {
    id: job.id,
    content: '夕焼け',
    media: [FIRST, RENAMED],
    digests: [DIGEST, DIGEST],
    reply_to: null,
  }
  const mutation = { name: 'sendMessage', params: { user_id: RECIPIENT }, body }
  expect(answered).toEqual([[{ id: job.id, ownerId: OWNER, form: { mutation } }, reply]])
})

test('a success of another build counts as one, and pages get no reply that they could not read', async () => {
  const { on, end } = submit({ status: 200, body: { message: 'new' } })
  expect(await end).toEqual({ is: 'ok', value: { id: job.id } })
  expect(on.heard).toEqual([])
})

test.each<[string, ScriptedReply, object]>([
  [
    'a block: the reason is stored',
    { status: 403, body: { error: { code: 'forbidden' } } },
    { is: 'refused', code: 'forbidden' },
  ],
  [
    'files of another message',
    { status: 409, body: { error: { code: 'conflict' } } },
    { is: 'refused', code: 'conflict' },
  ],
  [
    'a file that is neither an image nor a video',
    { status: 415, body: { error: { code: 'unsupported_media' } } },
    { is: 'refused', code: 'unsupported_media' },
  ],
  [
    'files that are too large',
    { status: 413, body: { error: { code: 'too_large' } } },
    { is: 'refused', code: 'too_large' },
  ],
  [
    'an upload that expired',
    { status: 409, body: { error: { code: 'upload_incomplete' } } },
    { is: 'uploadsDenied' },
  ],
  [
    'bytes that differ from the picked ones',
    { status: 422, body: { error: { code: 'digest_mismatch', fields: { [FIRST]: 'malformed' } } } },
    { is: 'digestDiffers', mediaIds: [FIRST] },
  ],
  ['a busy server', { status: 503, body: 'busy' }, { is: 'lost' }],
  ['a session that has ended', { status: 401 }, { is: 'signedOut', refused: true }],
  ['a conversation that does not exist', { status: 404 }, { is: 'gone' }],
])('%s', async (_name, answer, outcome) => {
  const { on, end } = submit(answer)
  expect(await end).toMatchObject(outcome)
  expect(on.heard).toEqual([])
})

test('a message without the bytes of one of its files is not requested', async () => {
  const { end, requests } = await submitFrom(async (id) => (id === SECOND ? undefined : DIGEST))
  expect([end, requests]).toEqual([{ is: 'refused', code: 'bytes_missing' }, []])
})

test('a message whose digest is stopped ends with it, and an error of the device is passed on', async () => {
  const stopped = await submitFrom(() => Promise.reject(new Ended({ is: 'stopped' })))
  expect([stopped.end, stopped.requests]).toEqual([{ is: 'stopped' }, []])
  const failed = submitFrom(() => Promise.reject(new Error('the database is closed')))
  await expect(failed).rejects.toThrow('the database is closed')
})
