// Plays a longer video by HLS segments, which survive a lost connection.
import type Hls from 'hls.js'
import type { VideoView } from '#contract/posts/media.ts'

/** Time before segments are requested again, after the library has given up, ms. */
const RETRY_MS = 5000

/** Whether the browser's own HLS is used; others that claim support use the library. */
const playsHls = (): boolean => 'ManagedMediaSource' in window

/** The element's source before play is pressed. */
export function firstSource({ src, hls }: VideoView): string | null {
  return hls !== undefined && playsHls() ? hls : src
}

/** Whether pressing play changes to segments, by the library. */
export function wantsLibrary({ hls }: VideoView): boolean {
  return hls !== undefined && !playsHls()
}

/** Loads the library, shortly before play is pressed. */
export const fetchLibrary = () => import('hls.js/light')

/** The state of an element when the library released it. */
export interface Position {
  /** Seconds. */
  readonly at: number
  readonly paused: boolean
}

/** An element that plays by segments. */
export interface Playing {
  /** Releases the element. */
  readonly release: () => void
  /** Heights of the renditions, px. */
  readonly heights: () => number[]
  /** Sets the height to play; undefined for the best that the connection allows. */
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
  onEnd: (left: Position) => void,
  mayGoOn: () => boolean = () => true,
): Promise<Playing> {
  const { default: Player } = await fetchLibrary()
  if (!Player.isSupported() || !video.isConnected) throw new Error('segments cannot be played here')
  // The page's policy does not permit workers from text.
  const player = new Player({ enableWorker: false, startPosition: video.currentTime })
  const letGo = () => player.destroy()
  if (!video.paused)
    player.once(Player.Events.MANIFEST_PARSED, () => {
      if (mayGoOn()) void video.play().catch(() => undefined)
    })
  guard(Player, player, () => {
    // Read before the release, since an element without its source is paused, at its beginning.
    const left = { at: video.currentTime, paused: video.paused }
    letGo()
    onEnd(left)
  })
  player.attachMedia(video)
  player.loadSource(hls)
  return {
    release: letGo,
    heights: () => [...new Set(player.levels.map((it) => it.height))].toSorted((a, b) => b - a),
    choose(height) {
      const level = player.levels.findIndex((it) => it.height === height)
      // The buffer continues to play; the next segment has the chosen height.
      player.nextLevel = level
    },
  }
}

/**
 * Ends the segments at a refusal. After a lost connection the buffer plays and loading is tried again; a failing
 * decoder is restarted once.
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
      again = setTimeout(() => player.startLoad(), RETRY_MS)
    } else if (type === Player.ErrorTypes.MEDIA_ERROR && !recovered) {
      recovered = true
      player.recoverMediaError()
    } else end()
  })
}
