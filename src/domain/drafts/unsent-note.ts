// A note of unsent posts outside the device's database: posts that the database lacks were lost.
import { isUnused } from '#device/drafts/drafts.ts'
import { listJobs } from '#device/jobs/jobs.ts'
import type { CookieJar } from '#src/domain/session/session-cookie.ts'

const COOKIE = 'todoke_unsent'
const KEEP_MS = 400 * 24 * 3600 * 1000
/**
 * A cookie is sent with every request and holds 4 KB: above this number of ids, of all people, only the count is
 * stored.
 */
const MOST = 100

/** What the note says about one person. */
interface Entry {
  owner: string
  ids: readonly string[]
  /** How many posts were on their way beside these. */
  more: number
}

/** Posts that were on their way and are not on the device any more. */
export interface Lost {
  ids: readonly string[]
  /** All of them, also those without a noted id. */
  count: number
}

/** Ids of a person's posts that were on their way when the note was last written. */
export function readNote(jar: CookieJar, ownerId: string): readonly string[] {
  return entries(jar).find((it) => it.owner === ownerId)?.ids ?? []
}

/**
 * Notes these and no other ids for a person; other people's stay.
 * @param more how many posts are to be counted beside these
 */
export function writeNote(
  jar: CookieJar,
  ownerId: string,
  ids: readonly string[],
  now: number,
  more = 0,
): void {
  const before = entries(jar)
  const others = before.filter((it) => it.owner !== ownerId)
  let room = MOST
  const notes = [{ owner: ownerId, ids, more }, ...others].map((it) => {
    const first = it.ids.slice(0, room)
    room -= first.length
    return { ...it, ids: first, more: it.more + it.ids.length - first.length }
  })
  const filled = notes.filter((it) => it.ids.length + it.more > 0)
  if (JSON.stringify(filled) === JSON.stringify(before)) return
  const expires = new Date(filled.length === 0 ? 0 : now + KEEP_MS).toUTCString()
  const secure = globalThis.location?.protocol === 'https:' ? '; Secure' : ''
  jar.cookie = `${COOKIE}=${filled.map(textOf).join('.')}; Path=/; Expires=${expires}; SameSite=Strict${secure}`
}

/**
 * Compares the note with the device and brings it up to date.
 * @returns noted posts of which the device has neither job, draft nor receipt
 */
export async function lostSince(jar: CookieJar, ownerId: string, now: number): Promise<Lost> {
  const noted = entries(jar).find((it) => it.owner === ownerId)
  const lost: string[] = []
  for (const id of noted?.ids ?? []) if (await isUnused(id)) lost.push(id)
  // The device loses everything or nothing: with one post the uncounted ones went too.
  const more = lost.length > 0 ? (noted?.more ?? 0) : 0
  // An identity check is not restored as a draft of a post; its steps begin again.
  const jobs = (await listJobs(ownerId)).filter((job) => job.kind === 'post')
  writeNote(jar, ownerId, [...lost, ...jobs.map((job) => job.id)], now, more)
  return { ids: lost, count: lost.length + more }
}

/** `owner:more:id!id!…`, ids as the 22 letters of their bytes. */
const textOf = ({ owner, ids, more }: Entry): string =>
  `${packed(owner)}:${more}:${ids.map(packed).join('!')}`

function entries(jar: CookieJar): Entry[] {
  const part = jar.cookie.split('; ').find((it) => it.startsWith(`${COOKIE}=`))
  const value = part?.slice(COOKIE.length + 1) ?? ''
  const found = new Map<string, Entry>()
  for (const text of value.split('.')) {
    const [owner = '', more = '', ids] = text.split(':')
    if (owner === '' || more === '') continue
    // Earlier versions noted whole ids in pairs.
    if (ids === undefined) found.set(owner, { owner, ids: [...(found.get(owner)?.ids ?? []), more], more: 0 })
    else
      found.set(unpacked(owner), {
        owner: unpacked(owner),
        ids: ids.split('!').filter(Boolean).map(unpacked),
        more: Number(more) || 0,
      })
  }
  return [...found.values()]
}

/** A UUID as 22 letters of base64url. */
function packed(id: string): string {
  const bytes = id.replaceAll('-', '').match(/../g) ?? []
  const text = btoa(String.fromCharCode(...bytes.map((it) => Number.parseInt(it, 16))))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function unpacked(text: string): string {
  const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  const hex = Array.from(bytes, (it) => it.charCodeAt(0).toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
