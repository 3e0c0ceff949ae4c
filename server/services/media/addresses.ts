// Addresses of media files: plain for open ones, signed for one viewer otherwise.
import { MEDIA_PATH } from '#contract/paths.ts'

/** Class of files that a signature gives access to: shown files, the blurred copy, or the original. */
export type MediaClass = 'shown' | 'blurred' | 'original'

/** Length of a bucket, s. A signature expires with the next bucket, so that caches can use an address for hours. */
const BUCKET = 6 * 3600

/** The functions of the server's key that addresses need. */
export interface Signer {
  mac(purpose: 'media', text: string): string
  isMac(purpose: 'media', text: string, mac: string): boolean
}

export interface Signing {
  readonly mediaId: string
  readonly what: MediaClass
  /** Null for a visitor. */
  readonly viewerId: string | null
}

/** The result of checking a signature. `expired`: it was valid for this viewer, and has expired. */
export type Proof = 'valid' | 'expired' | 'none'

const textOf = ({ mediaId, what, viewerId }: Signing, expires: number) =>
  [what, mediaId, viewerId ?? 'visitor', expires].join(' ')

/** The query that gives one viewer access to one class of a media's files; `now` in ms. */
export function signatureFor(secrets: Signer, signing: Signing, now: number): string {
  const expires = (Math.floor(now / 1000 / BUCKET) + 2) * BUCKET
  return `exp=${expires}&sig=${secrets.mac('media', textOf(signing, expires))}`
}

/** Checks the signature in the query of a request; `now` in ms. */
export function proofOf(
  secrets: Signer,
  signing: Signing,
  given: { exp?: string | undefined; sig?: string | undefined },
  now: number,
): Proof {
  if (given.exp === undefined || given.sig === undefined || !/^\d{1,12}$/.test(given.exp)) return 'none'
  const expires = Number(given.exp)
  if (!secrets.isMac('media', textOf(signing, expires), given.sig)) return 'none'
  return expires * 1000 > now ? 'valid' : 'expired'
}

/** Gives the address of a file, such as `w480`, `blurred` or `hls/main.m3u8`. */
export type MediaAddress = (mediaId: string, file: string) => string

/** Pictures, posters, videos and the segments of videos are of one class: access to one is access to all. */
export function classOf(file: string): MediaClass {
  return file === 'blurred' || file === 'original' ? file : 'shown'
}

/** The address of a file that every visitor may see. */
export const openAddress: MediaAddress = (mediaId, file) => `${MEDIA_PATH}/${mediaId}/${file}`

/** Addresses for one viewer; `now` in ms. The widths of a picture share one signature, which is made once. */
export function signedAddresses(secrets: Signer, viewerId: string | null, now: number): MediaAddress {
  const made = new Map<string, string>()
  return (mediaId, file) => {
    const what = classOf(file)
    const key = `${what} ${mediaId}`
    const signature = made.get(key) ?? signatureFor(secrets, { mediaId, what, viewerId }, now)
    made.set(key, signature)
    return `${openAddress(mediaId, file)}?${signature}`
  }
}
