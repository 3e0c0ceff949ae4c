// Messages from pages: what the worker does for each, and what its waitUntil waits for.
import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { listMutations } from '#device/mutations/mutations.ts'
import { listJobs } from '#device/jobs/jobs.ts'
import { saveSession } from '#device/session/session.ts'
import { writeSetting } from '#device/session/settings.ts'
import { SYNC_TAG } from './sync.ts'
import { POST, aoi, gate, isPending, json, publishing, queuePost, runMain } from './testing/run-main.ts'

const { worker, server, fire, said, shown } = runMain()

for (const type of ['deliver', 'tock', 'nudge'] as const)
  test(`the message ${type} is extended until what waits was sent`, async () => {
    const open = gate(server, publishing)
    await queuePost()
    const { isExtended, done } = fire('message', { data: { type }, ports: [] })
    expect(isExtended).toBe(true)
    expect(await isPending(done)).toBe(true)
    open()
    await done
    expect(server.asked).toEqual(['POST /api/post/add', `POST /api/post/release-uploaded/${POST}`])
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

test('the message person takes notices away that are another person’s', async () => {
  await worker.scope.registration.showNotification('前の人への通知', { tag: `notification-${newId()}` })
  await fire('message', { data: { type: 'person' }, ports: [] }).done
  expect(shown).toEqual([])
})

test('the message read takes the notice of that line away', async () => {
  const [read, other] = [newId(), newId()]
  for (const id of [read, other])
    await worker.scope.registration.showNotification(id, { tag: `notification-${id}` })
  await fire('message', { data: { type: 'read', ids: [read] }, ports: [] }).done
  expect(shown.map((it) => it.title)).toEqual([other])
})

test('the message acts stores and sends what a page had no time for', async () => {
  await saveSession({ token: 'secret', user: aoi })
  server.answer = () => json({ data: { liked: true, likes: 1 } })
  const act = { name: 'likePost', params: { post_id: POST } } as const
  const data = { type: 'acts', userId: aoi.id, acts: [{ id: newId(), act, about: '会員' }] }
  await fire('message', { data, ports: [] }).done
  await expect.poll(() => listMutations(aoi.id)).toEqual([])
  expect(server.asked).toContain(`PUT /api/posts/${POST}/like`)
  expect(said).toContain(`sync ${SYNC_TAG}`)
})

test('the message probe answers with what the worker reads', async () => {
  await writeSetting('probe-of-a-test', new Blob(['todoke']))
  const heard: unknown[] = []
  const port = { postMessage: (it: unknown) => void heard.push(it) }
  await fire('message', { data: { type: 'probe', key: 'probe-of-a-test' }, ports: [port] }).done
  expect(heard).toEqual(['todoke'])
})

test('the message take-over puts the new version in charge', async () => {
  await fire('message', { data: { type: 'take-over' }, ports: [] }).done
  expect(said).toEqual(['skipWaiting'])
})

test('a message that is none of these is not extended', () => {
  expect(fire('message', { data: { type: 'else' }, ports: [] }).isExtended).toBe(false)
})
