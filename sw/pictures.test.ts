// Pictures of a page: the server's reply is shown and stored, the stored one is shown offline.
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

interface Scene {
  answer: () => Promise<Response>
  kept?: string
  person?: string
  wants?: boolean
}

/** Requests once; returns what the page was shown, and what the device stored. */
async function ask({ answer, kept, person = 'aoi', wants = true }: Scene) {
  const said: string[] = []
  const ports: PicturePorts = {
    fetch: answer,
    person: async () => person || undefined,
    wants: async () => wants,
    save: async ({ ownerId, ref, width, type, bytes, at }) => {
      said.push(`kept for ${ownerId}: ${ref} ${width} ${type} ${new TextDecoder().decode(bytes)} at ${at}`)
      return true
    },
    read: async (ownerId, ref, now) => {
      said.push(`looked up for ${ownerId}: ${ref} at ${now}`)
      return kept === undefined
        ? undefined
        : { type: 'image/webp', bytes: new TextEncoder().encode(kept).buffer }
    },
    drop: async (ownerId, ref) => void said.push(`dropped for ${ownerId}: ${ref}`),
    now: () => 7,
  }
  const held: Promise<unknown>[] = []
  const response = await servePicture(ports, new Request(address), name, (work) => held.push(work))
  const shown = `${response.status} ${response.headers.get('content-type')} ${await response.text()}`
  await Promise.all(held)
  return { shown, said }
}

test('the server’s picture is shown, and kept for whoever is signed in', async () => {
  const { shown, said } = await ask({ answer: async () => webp('new'), kept: 'old' })
  expect(shown).toBe('200 image/webp new')
  expect(said).toEqual([`kept for aoi: ${name.ref} 960 image/webp new at 7`])
})

test('for nobody nothing is kept, and nothing is shown', async () => {
  expect((await ask({ answer: async () => webp('new'), person: '' })).said).toEqual([])
  const away = ask({
    answer: async () => Promise.reject(new TypeError('no network')),
    kept: 'old',
    person: '',
  })
  await expect(away).rejects.toThrow('no network')
})

test('what is there already, what is no picture and what is in parts is not kept', async () => {
  expect((await ask({ answer: async () => webp('new'), wants: false })).said).toEqual([])
  const page = new Response('<p>', { headers: { 'content-type': 'text/html' } })
  expect((await ask({ answer: async () => page })).said.filter((it) => it.startsWith('kept'))).toEqual([])
  expect((await ask({ answer: async () => webp('part', 206) })).said).toEqual([])
})

test.each([
  ['without network', async () => Promise.reject<Response>(new TypeError('no network'))],
  ['from a server that cannot answer', async () => webp('', 503)],
])('%s the kept one is shown', async (_what, answer) => {
  const { shown, said } = await ask({ answer, kept: 'old' })
  expect(shown).toBe('200 image/webp old')
  expect(said).toEqual([`looked up for aoi: ${name.ref} at 7`])
})

test('without network and without a kept one the page learns that there is none', async () => {
  await expect(ask({ answer: async () => Promise.reject(new TypeError('no network')) })).rejects.toThrow(
    'no network',
  )
  expect((await ask({ answer: async () => webp('', 503) })).shown).toMatch(/^503/)
})

test('a server that is silent is waited for three seconds, and for as long as it takes where nothing is kept', async () => {
  vi.useFakeTimers()
  try {
    const slow = () => new Promise<Response>((done) => setTimeout(() => done(webp('new')), 10_000))
    const both = Promise.all([ask({ answer: slow, kept: 'old' }), ask({ answer: slow })])
    await vi.advanceTimersByTimeAsync(2999)
    await vi.advanceTimersByTimeAsync(10_000)
    expect((await both).map((it) => it.shown)).toEqual(['200 image/webp old', '200 image/webp new'])
  } finally {
    vi.useRealTimers()
  }
})

test.each([403, 404, 410])('a picture answered with %i is not this person’s any more', async (status) => {
  const { shown, said } = await ask({ answer: async () => refused(status), kept: 'old' })
  expect(shown).toMatch(new RegExp(`^${status}`))
  expect(said).toEqual([`dropped for aoi: ${name.ref}`])
})

test.each([403, 404, 410])(
  'a page with status %i in its place takes no picture away: the kept one is shown',
  async (status) => {
    const page = async () => new Response('<p>', { status, headers: { 'content-type': 'text/html' } })
    const { shown, said } = await ask({ answer: page, kept: 'old' })
    expect(shown).toBe('200 image/webp old')
    expect(said).toEqual([`looked up for aoi: ${name.ref} at 7`])
  },
)

test('pictures alone are taken care of: no page, no part, no video, no original', () => {
  const asked = (path: string, how: { destination?: string; range?: string } = {}) => {
    const request = {
      headers: new Headers(how.range ? { range: how.range } : {}),
      destination: how.destination ?? 'image',
    } as Request
    return requestedPicture(request, new URL(path, 'https://todoke.example'))
  }
  expect(asked(address)).toEqual(name)
  expect(asked(address, { destination: 'document' })).toBeUndefined()
  expect(asked(address, { range: 'bytes=0-1' })).toBeUndefined()
  for (const other of ['play', 'original', 'hls/main.m3u8'])
    expect(asked(`/api/media/${media}/${other}`)).toBeUndefined()
  expect(asked('/api/admin/identity/1/front')).toBeUndefined()
})
