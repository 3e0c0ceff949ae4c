// Tests that pictures are stored when the server sends them, and shown without it.
import { expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import { requestedPicture, type PicturePorts, servePicture } from './pictures.ts'

const media = newId()
const address = `https://todoke.example/api/media/${media}/w960?exp=1&sig=x`
const name = { ref: `${media}/wide`, width: 960 }
const webp = (body: string, status = 200) =>
  new Response(body, { status, headers: { 'content-type': 'image/webp' } })

const refused = (status: number) =>
  Response.json({ error: { code: status === 403 ? 'forbidden' : 'not_found' } }, { status })

interface Situation {
  answer: () => Promise<Response>
  stored?: string
  person?: string
  wants?: boolean
}

/** Requests the picture once; returns what the page was shown, and the calls of the device's store. */
async function requestOnce({ answer, stored, person = 'aoi', wants = true }: Situation) {
  const log: string[] = []
  const ports: PicturePorts = {
    fetch: answer,
    person: async () => person || undefined,
    wants: async () => wants,
    save: async ({ ownerId, ref, width, type, bytes, at }) => {
      log.push(`stored for ${ownerId}: ${ref} ${width} ${type} ${new TextDecoder().decode(bytes)} at ${at}`)
      return true
    },
    read: async (ownerId, ref, now) => {
      log.push(`looked up for ${ownerId}: ${ref} at ${now}`)
      return stored === undefined
        ? undefined
        : { type: 'image/webp', bytes: new TextEncoder().encode(stored).buffer }
    },
    drop: async (ownerId, ref) => void log.push(`dropped for ${ownerId}: ${ref}`),
    now: () => 7,
  }
  const extensions: Promise<unknown>[] = []
  const response = await servePicture(ports, new Request(address), name, (work) => extensions.push(work))
  const shown = `${response.status} ${response.headers.get('content-type')} ${await response.text()}`
  await Promise.all(extensions)
  return { shown, log }
}

test('the server’s picture is shown, and stored for the signed-in person', async () => {
  const { shown, log } = await requestOnce({ answer: async () => webp('new'), stored: 'old' })
  expect(shown).toBe('200 image/webp new')
  expect(log).toEqual([`stored for aoi: ${name.ref} 960 image/webp new at 7`])
})

test('without a signed-in person no picture is stored or shown from the device', async () => {
  expect((await requestOnce({ answer: async () => webp('new'), person: '' })).log).toEqual([])
  const offline = requestOnce({
    answer: async () => Promise.reject(new TypeError('no network')),
    stored: 'old',
    person: '',
  })
  await expect(offline).rejects.toThrow('no network')
})

test('a picture that the store does not want, another type and a part of a picture are not stored', async () => {
  expect((await requestOnce({ answer: async () => webp('new'), wants: false })).log).toEqual([])
  const page = new Response('<p>', { headers: { 'content-type': 'text/html' } })
  expect(
    (await requestOnce({ answer: async () => page })).log.filter((it) => it.startsWith('stored')),
  ).toEqual([])
  expect((await requestOnce({ answer: async () => webp('part', 206) })).log).toEqual([])
})

test.each([
  ['without network', async () => Promise.reject<Response>(new TypeError('no network'))],
  ['from a server that cannot answer', async () => webp('', 503)],
])('%s the stored picture is shown', async (_, answer) => {
  const { shown, log } = await requestOnce({ answer, stored: 'old' })
  expect(shown).toBe('200 image/webp old')
  expect(log).toEqual([`looked up for aoi: ${name.ref} at 7`])
})

test('without network and without a stored picture the request of the page fails', async () => {
  await expect(
    requestOnce({ answer: async () => Promise.reject(new TypeError('no network')) }),
  ).rejects.toThrow('no network')
  expect((await requestOnce({ answer: async () => webp('', 503) })).shown).toMatch(/^503/)
})

test('a slow server has three seconds if a picture is stored, and no limit otherwise', async () => {
  vi.useFakeTimers()
  try {
    const { promise: over, resolve: end } = Promise.withResolvers<void>()
    const slow = () => over.then(() => webp('new'))
    const both = Promise.all([requestOnce({ answer: slow, stored: 'old' }), requestOnce({ answer: slow })])
    await vi.advanceTimersByTimeAsync(2999)
    await vi.advanceTimersByTimeAsync(10_000)
    end()
    expect((await both).map((it) => it.shown)).toEqual(['200 image/webp old', '200 image/webp new'])
  } finally {
    vi.useRealTimers()
  }
})

test.each([403, 404, 410])(
  'a picture that the server refuses with %i is removed from the device',
  async (status) => {
    const { shown, log } = await requestOnce({ answer: async () => refused(status), stored: 'old' })
    expect(shown).toMatch(new RegExp(`^${status}`))
    expect(log).toEqual([`dropped for aoi: ${name.ref}`])
  },
)

test.each([403, 404, 410])(
  'an HTML page with status %i removes no picture: the stored one is shown',
  async (status) => {
    const page = async () => new Response('<p>', { status, headers: { 'content-type': 'text/html' } })
    const { shown, log } = await requestOnce({ answer: page, stored: 'old' })
    expect(shown).toBe('200 image/webp old')
    expect(log).toEqual([`looked up for aoi: ${name.ref} at 7`])
  },
)

test('only pictures are handled: no page, no part, no video, no original', () => {
  const nameOf = (path: string, how: { destination?: string; range?: string } = {}) => {
    const request = {
      headers: new Headers(how.range ? { range: how.range } : {}),
      destination: how.destination ?? 'image',
    } as Request
    return requestedPicture(request, new URL(path, 'https://todoke.example'))
  }
  expect(nameOf(address)).toEqual(name)
  expect(nameOf(address, { destination: 'document' })).toBeUndefined()
  expect(nameOf(address, { range: 'bytes=0-1' })).toBeUndefined()
  for (const other of ['play', 'original', 'hls/main.m3u8'])
    expect(nameOf(`/api/media/${media}/${other}`)).toBeUndefined()
  expect(nameOf('/api/admin/identity/1/front')).toBeUndefined()
})
