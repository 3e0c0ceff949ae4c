// The browser's own upload (Background Fetch), as far as the queue knows of it (docs/decisions/156).

/** TypeScript's library has no types for Background Fetch. */
export interface BackgroundFetch {
  readonly id: string
  /** Empty while the browser has requests left. */
  readonly result: '' | 'success' | 'failure'
}

export interface BackgroundFetches {
  get(id: string): Promise<BackgroundFetch | undefined>
  /** Rejects with QuotaExceededError where the device has no room for a second copy of `downloadTotal` bytes. */
  fetch(
    id: string,
    requests: readonly Request[],
    options: {
      readonly title: string
      readonly icons: readonly { readonly src: string; readonly sizes: string; readonly type: string }[]
      readonly downloadTotal: number
    },
  ): Promise<BackgroundFetch>
}

/** Uploads that the browser carries by itself: they go on while no page is open and the worker sleeps. */
export interface Carrier {
  /** Whether the browser has requests of this upload left to send. */
  isCarrying(mediaId: string): Promise<boolean>
}

const NAME = 'upload '
/** The browser's name of the upload of a media. */
export const carriedName = (mediaId: string): string => NAME + mediaId

/** The media of a name of the browser; undefined for another one. */
export const mediaOfName = (name: string): string | undefined =>
  name.startsWith(NAME) ? name.slice(NAME.length) : undefined

/** What the browser can carry; undefined where it cannot. @param registration of the worker */
export const backgroundFetches = (
  registration: ServiceWorkerRegistration | undefined,
): BackgroundFetches | undefined =>
  registration && 'backgroundFetch' in registration
    ? (registration.backgroundFetch as BackgroundFetches)
    : undefined

/** The carrier of this browser. @param fetches undefined where the browser has none */
export const carrierOf = (fetches: BackgroundFetches | undefined): Carrier => ({
  // A failed read counts as not carried: the queue sends, and no part that both send doubles.
  isCarrying: async (mediaId) =>
    (await fetches?.get(carriedName(mediaId)).catch(() => undefined))?.result === '',
})
