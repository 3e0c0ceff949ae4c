// Tests what the worker does for each message of a page, and when events end.
import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { listMutations } from '#device/mutations/mutations.ts'
import { listJobs } from '#device/jobs/jobs.ts'
import { saveSession } from '#device/session/session.ts'
import { writeSetting } from '#device/session/settings.ts'
import { SYNC_TAG } from './sync.ts'
import { POST, aoi, gate, isPending, json, publishing, queuePost, runMain } from './testing/run-main.ts'

const { worker, server, fire, calls, shown } = runMain()

for (const type of ['deliver', 'tock', 'nudge'] as const)
  test(`the event of the message ${type} lasts until the queue is empty`, async () => {
    const open = gate(server, publishing)
    await queuePost()
    const { isExtended, done } = fire('message', { data: { type }, ports: [] })
    expect(isExtended).toBe(true)
    expect(await isPending(server, done)).toBe(true)
    open()
    await done
    expect(server.requests).toEqual(['POST /api/post/add', `POST /api/post/release-uploaded/${POST}`])
    expect(await listJobs(aoi.id)).toEqual([])
  })

test('the message nudge ends the wait between two tries', async () => {
  let tries = 0
  server.answer = (url, init) => (++tries <= 4 ? new Response('', { status: 502 }) : publishing(url, init))
  await queuePost()
  void fire('message', { data: { type: 'deliver' }, ports: [] })
  // The third wait takes 3 s.
  await expect.poll(() => tries, { timeout: 10_000 }).toBe(3)
  await Promise.all([
    fire('message', { data: { type: 'nudge' }, ports: [] }).done,
    (async () => {
      await expect.poll(() => tries, { timeout: 1500 }).toBe(4)
      await fire('message', { data: { type: 'nudge' }, ports: [] }).done
    })(),
  ])
  expect(await listJobs(aoi.id)).toEqual([])
})

test('the message person closes the notices of another person', async () => {
  await worker.scope.registration.showNotification('前の人への通知', { tag: `notification-${newId()}` })
  await fire('message', { data: { type: 'person' }, ports: [] }).done
  expect(shown).toEqual([])
})

test('the message read closes the notice of that notification', async () => {
  const [read, other] = [newId(), newId()]
  for (const id of [read, other])
    await worker.scope.registration.showNotification(id, { tag: `notification-${id}` })
  await fire('message', { data: { type: 'read', ids: [read] }, ports: [] }).done
  expect(shown.map((it) => it.title)).toEqual([other])
})

test('the message acts stores and sends the mutations of a closing page', async () => {
  await saveSession({ token: 'secret', user: aoi })
  server.answer = () => json({ data: { liked: true, likes: 1 } })
  const mutation = { name: 'likePost', params: { post_id: POST } } as const
  const data = { type: 'acts', userId: aoi.id, acts: [{ id: newId(), act: mutation, about: '会員' }] }
  await fire('message', { data, ports: [] }).done
  await expect.poll(() => listMutations(aoi.id)).toEqual([])
  expect(server.requests).toContain(`PUT /api/posts/${POST}/like`)
  expect(calls).toContain(`sync ${SYNC_TAG}`)
})

test('the message probe is answered with the bytes that the worker reads', async () => {
  await writeSetting('probe-of-a-test', new Blob(['todoke']))
  const answers: unknown[] = []
  const port = { postMessage: (it: unknown) => void answers.push(it) }
  await fire('message', { data: { type: 'probe', key: 'probe-of-a-test' }, ports: [port] }).done
  expect(answers).toEqual(['todoke'])
})

test('the message take-over activates the new version', async () => {
  await fire('message', { data: { type: 'take-over' }, ports: [] }).done
  expect(calls).toEqual(['skipWaiting'])
})

test('the event of an unknown message is not extended', () => {
  expect(fire('message', { data: { type: 'else' }, ports: [] }).isExtended).toBe(false)
})
