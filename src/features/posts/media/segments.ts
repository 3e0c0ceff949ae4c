// Plays a longer video by its HLS segments: a lost connection then costs one segment, not the video.
import type Hls from 'hls.js'
import type { VideoView } from '#contract/posts/media.ts'

/** Time before segments are requested again, after the library has given up, ms. */
const AGAIN = 5000

/** Where the browser plays HLS by itself and well; others that say they can are left to the library. */
const playsHls = (): boolean => 'ManagedMediaSource' in window

/** The element's source before play is pressed. */
export function firstSource({ src, hls }: VideoView): string | null {
  return hls !== undefined && playsHls() ? hls : src
}

/** Whether pressing play changes to segments, by the library. */
export function wantsLibrary({ hls }: VideoView): boolean {
  return hls !== undefined && !playsHls()
}

/** Fetched when play is about to be pressed: what is only scrolled past loads none of it. */
export const fetchLibrary = () => import('hls.js/light')

/** Where an element was when the library let go of it. */
export interface LeftAt {
  /** Seconds. */
  readonly at: number
  readonly paused: boolean
}

/** An element that plays by segments. */
export interface Playing {
  /** Lets go of the element. */
  readonly letGo: () => void
  /** Heights of the renditions there are, px. */
  readonly heights: () => number[]
  /** Plays this height from now on; undefined: whatever the connection carries. */
  readonly choose: (height: number | undefined) => void
}

/**
 * Changes a playing element from its MP4 to segments, at its position.
 * @param onEnd called once when segments cannot continue; the element is free again
 * @param mayGoOn false when another video was started while this one was loading
 * @throws if the element stays with its MP4
 */
export async function openSegments(
  video: HTMLVideoElement,
  hls: string,
  onEnd: (left: LeftAt) => void,
  mayGoOn: () => boolean = () => true,
): Promise<Playing> {
  const { default: Player } = await fetchLibrary()
  if (!Player.isSupported() || !video.isConnected) throw new Error('segments cannot be played here')
  // The page's policy has no place for workers made of text.
  const player = new Player({ enableWorker: false, startPosition: video.currentTime })
  const letGo = () => player.destroy()
  if (!video.paused)
    player.once(Player.Events.MANIFEST_PARSED, () => {
      if (mayGoOn()) void video.play().catch(() => undefined)
    })
  guard(Player, player, () => {
    // Before it lets go: an element without its source is paused, and at its beginning.
    const left = { at: video.currentTime, paused: video.paused }
    letGo()
    onEnd(left)
  })
  player.attachMedia(video)
  player.loadSource(hls)
  return {
    letGo,
    heights: () => [...new Set(player.levels.map((it) => it.height))].toSorted((a, b) => b - a),
    choose(height) {
      const level = player.levels.findIndex((it) => it.height === height)
      // What is buffered plays on; the next segment is of the chosen height.
      player.nextLevel = level
    },
  }
}

/**
 * A refusal is final and ends it; a lost connection returns, and buffered data plays until then. A failing decoder
 * gets one more try.
 */
function guard(Player: typeof Hls, player: Hls, end: () => void): void {
  let recovered = false
  let again: ReturnType<typeof setTimeout> | undefined
  player.on(Player.Events.DESTROYING, () => clearTimeout(again))
  player.on(Player.Events.ERROR, (_, { fatal, type, response }) => {
    const status = response?.code ?? 0
    if (status >= 400 && status < 500) return end()
    if (!fatal) return
    if (type === Player.ErrorTypes.NETWORK_ERROR && player.levels.length > 0) {
      again = setTimeout(() => player.startLoad(), AGAIN)
    } else if (type === Player.ErrorTypes.MEDIA_ERROR && !recovered) {
      recovered = true
      player.recoverMediaError()
    } else end()
  })
}
