// Tests that a message with files arrives once while server or device lose state.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { copyFile } from '#device/files/import-file.ts'
import { changeJob, listJobs } from '#device/jobs/jobs.ts'
import {
  addMessageFile,
  openMessageDraft,
  readMessageDraft,
  submitMessageDraft,
} from '#device/jobs/message.ts'
import { listMedia } from '#device/files/media.ts'
import { pictureRow } from '#device/testing/picture-row.ts'
import { call, type Member, signUp } from '#server/testing/people/members.ts'
import { jpeg } from '#server/testing/pictures.ts'
import { openWorld, type World } from '#server/testing/world.ts'
import { applyPersonEvent } from '#sw/queue/machines/machines.ts'
import { fakeLocks } from '#sw/testing/picking.ts'
import {
  type Cut,
  resetDevice,
  restoreSnapshot,
  runQueue,
  signInOnDevice,
  takeSnapshot,
} from './test-device.ts'

let world: World
let sender: Member
let recipient: Member
let picture: Uint8Array<ArrayBuffer>

beforeAll(async () => {
  world = await openWorld({ listen: true })
  picture = new Uint8Array(await jpeg())
})
afterAll(() => world.close())
beforeEach(async () => {
  vi.stubGlobal('navigator', { locks: fakeLocks() })
  await resetDevice()
  world.clock.now = Date.now()
  sender = await signUp(world)
  recipient = await signUp(world)
  await signInOnDevice(sender)
})
afterEach(async () => {
  await resetDevice()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** Picks two pictures and presses 送信; returns the ids of the files in their order. */
async function send(): Promise<string[]> {
  const between = { ownerId: sender.id, recipientId: recipient.id }
  for (const name of ['first.jpg', 'second.jpg']) {
    const draft = await openMessageDraft(between, Date.now())
    const file = new File([picture], name)
    const row = { id: draft.id, ownerId: sender.id, createdAt: Date.now() }
    const media = pictureRow(row, { name, size: file.size })
    await copyFile(media, file, true, () => addMessageFile(media))
  }
  const shown = (await readMessageDraft(between))?.media ?? []
  const words = { content: '海', replyTo: null, about: '蓮' }
  const end = await submitMessageDraft(between, words, shown, Date.now())
  if (end.is !== 'submitted') throw new Error(`the submission ended with ${end.is}`)
  return end.job.files.map((it) => it.id)
}

/** The messages as their sender reads them, each with the ids of its files. */
async function sentMessages(): Promise<string[][]> {
  const reply = await call(world, sender, 'GET', `/conversations/${recipient.id}/messages`)
  if (reply.statusCode === 404) return []
  const { messages } = reply.json() as { messages: { body: { media: { id: string }[] } }[] }
  return messages.map((it) => it.body.media.map(({ id }) => id))
}

const messageRequest = () => `POST /api/conversations/${recipient.id}`
const cuts: [string, () => Cut][] = [
  ['before the message reaches the server', () => ({ at: messageRequest(), received: false })],
  ['after the server has stored the message', () => ({ at: messageRequest(), received: true })],
  ['while the first upload is created', () => ({ at: 'POST /upload', received: true })],
  ['while bytes are sent', () => ({ at: 'PATCH /upload', received: true })],
]

test.each(cuts)('the process ends %s: the next one sends the message once', async (_when, cut) => {
  const ids = await send()
  await runQueue(world, { cut: cut() })
  await runQueue(world)
  expect(await sentMessages()).toEqual([ids])
  expect(await listJobs(sender.id)).toEqual([])
})

test('a device restored from a copy sends the same message, which the server has already', async () => {
  const ids = await send()
  const copy = await takeSnapshot()
  await runQueue(world)
  await restoreSnapshot(copy)
  await runQueue(world)
  expect(await sentMessages()).toEqual([ids])
  expect(await listJobs(sender.id)).toEqual([])
})

test('uploads that the server has lost are sent again before the message', async () => {
  const ids = await send()
  await runQueue(world, { cut: { at: messageRequest(), received: false } })
  await world.database.executeSql('delete from uploads where owner_id = $1', [sender.id])
  await runQueue(world)
  expect(await sentMessages()).toEqual([ids])
})

test('two runners at one time, without a lock between them, send the message once', async () => {
  const ids = await send()
  await Promise.all([runQueue(world), runQueue(world)])
  await runQueue(world)
  expect(await sentMessages()).toEqual([ids])
})

test('a block keeps message and files on the device; after its end the person sends them again', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const ids = await send()
  await call(world, recipient, 'PUT', `/blocks/${sender.id}`)
  await runQueue(world)
  const [failed] = await listJobs(sender.id)
  if (!failed) throw new Error('the refused message has disappeared')
  expect(failed.stage).toEqual({ is: 'failed', code: 'forbidden' })
  expect((await listMedia(failed.id)).map((it) => it.bytes.is)).toEqual(['stored', 'stored'])
  await call(world, recipient, 'DELETE', `/blocks/${sender.id}`)
  await changeJob(failed.id, (job) => applyPersonEvent(job, { type: 'retried' }))
  const requests = await runQueue(world)
  expect(requests.filter((it) => it.startsWith('PATCH'))).toEqual([])
  expect(await sentMessages()).toEqual([ids])
})

test('a cancelled message leaves no upload on the server and no file on the device', async () => {
  const [first = ''] = await send()
  await runQueue(world, { cut: { at: messageRequest(), received: false } })
  const [job] = await listJobs(sender.id)
  // The request was recorded, so that it may have arrived: only its refusal or this state permits cancelling.
  await changeJob(defined(job?.id), (it) => (it.kind === 'message' ? { ...it, stage: { is: 'open' } } : it))
  await changeJob(defined(job?.id), (it) => applyPersonEvent(it, { type: 'cancelled' }))
  await runQueue(world)
  expect(await sentMessages()).toEqual([])
  const head = await fetch(`${world.origin}/upload-chunking-2/${first}`, {
    method: 'HEAD',
    headers: { 'Tus-Resumable': '1.0.0', Authorization: `Bearer ${sender.token}` },
  })
  expect([head.status, await listJobs(sender.id), await listMedia(defined(job?.id))]).toEqual([404, [], []])
})
