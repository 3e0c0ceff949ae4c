// What becomes of a video whose segments cannot go on.
import { expect, test, vi } from 'vitest'
import { type LeftAt, openSegments } from './segments.ts'

type Heard = (event: string, data: { fatal: boolean; type: string; response?: { code: number } }) => void

/** The library as far as we use it: with its source taken away an element is paused, and at its beginning. */
class Library {
  static readonly Events = { MANIFEST_PARSED: 'parsed', ERROR: 'error', DESTROYING: 'destroying' }
  static readonly ErrorTypes = { NETWORK_ERROR: 'network', MEDIA_ERROR: 'media' }
  static isSupported = () => true
  static made: Library
  readonly levels: unknown[] = []
  #heard = new Map<string, Heard>()
  #element: { paused: boolean; currentTime: number } | undefined
  constructor() {
    Library.made = this
  }
  on(event: string, heard: Heard) {
    this.#heard.set(event, heard)
  }
  once(event: string, heard: Heard) {
    this.#heard.set(event, heard)
  }
  parse() {
    this.#heard.get('parsed')?.('parsed', { fatal: false, type: '' })
  }
  attachMedia(element: { paused: boolean; currentTime: number }) {
    this.#element = element
  }
  loadSource() {}
  destroy() {
    if (this.#element) Object.assign(this.#element, { paused: true, currentTime: 0 })
  }
  refuse(code: number) {
    this.#heard.get('error')?.('error', { fatal: true, type: 'network', response: { code } })
  }
}
vi.mock('hls.js/light', () => ({ default: Library }))

async function refusedAt(now: { paused: boolean; currentTime: number }): Promise<LeftAt[]> {
  const element = { isConnected: true, play: async () => undefined, ...now }
  const ends: LeftAt[] = []
  await openSegments(element as unknown as HTMLVideoElement, '/main.m3u8', (left) => void ends.push(left))
  Library.made.refuse(403)
  return ends
}

test('it goes on once its playlist is read, unless another video was started by then', async () => {
  const plays = async (mayGoOn: boolean): Promise<boolean> => {
    const play = vi.fn<() => Promise<void>>(async () => undefined)
    const element = { isConnected: true, play, paused: false, currentTime: 1 } as unknown as HTMLVideoElement
    await openSegments(
      element,
      '/main.m3u8',
      () => undefined,
      () => mayGoOn,
    )
    Library.made.parse()
    return play.mock.calls.length > 0
  }
  expect([await plays(true), await plays(false)]).toEqual([true, false])
})

test('a refusal ends it where the person was: playing stays playing', async () => {
  expect(await refusedAt({ paused: false, currentTime: 31.5 })).toEqual([{ at: 31.5, paused: false }])
})

test('whoever had paused finds it paused, at the same place', async () => {
  expect(await refusedAt({ paused: true, currentTime: 12 })).toEqual([{ at: 12, paused: true }])
})
