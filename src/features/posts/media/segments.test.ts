// A video continues with the MP4 when its segments fail.
import { expect, test, vi } from 'vitest'
import { type Position, openSegments } from './segments.ts'

type Listener = (event: string, data: { fatal: boolean; type: string; response?: { code: number } }) => void

/** The used part of the library. Without its source an element is paused, at its beginning. */
class Library {
  static readonly Events = { MANIFEST_PARSED: 'parsed', ERROR: 'error', DESTROYING: 'destroying' }
  static readonly ErrorTypes = { NETWORK_ERROR: 'network', MEDIA_ERROR: 'media' }
  static isSupported = () => true
  static made: Library
  readonly levels: unknown[] = []
  #listeners = new Map<string, Listener>()
  #element: { paused: boolean; currentTime: number } | undefined
  constructor() {
    Library.made = this
  }
  on(event: string, heard: Listener) {
    this.#listeners.set(event, heard)
  }
  once(event: string, heard: Listener) {
    this.#listeners.set(event, heard)
  }
  parse() {
    this.#listeners.get('parsed')?.('parsed', { fatal: false, type: '' })
  }
  attachMedia(element: { paused: boolean; currentTime: number }) {
    this.#element = element
  }
  loadSource() {}
  destroy() {
    if (this.#element) Object.assign(this.#element, { paused: true, currentTime: 0 })
  }
  refuse(code: number) {
    this.#listeners.get('error')?.('error', { fatal: true, type: 'network', response: { code } })
  }
}
vi.mock('hls.js/light', () => ({ default: Library }))

async function refusedAt(now: { paused: boolean; currentTime: number }): Promise<Position[]> {
  const element = { isConnected: true, play: async () => undefined, ...now }
  const ends: Position[] = []
  await openSegments(element as unknown as HTMLVideoElement, '/main.m3u8', (left) => void ends.push(left))
  Library.made.refuse(403)
  return ends
}

test('segments play once the playlist is read, unless another video was started', async () => {
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

test('a refusal ends the segments at the position of a playing video', async () => {
  expect(await refusedAt({ paused: false, currentTime: 31.5 })).toEqual([{ at: 31.5, paused: false }])
})

test('a refusal ends the segments of a paused video, which stays paused at its position', async () => {
  expect(await refusedAt({ paused: true, currentTime: 12 })).toEqual([{ at: 12, paused: true }])
})
