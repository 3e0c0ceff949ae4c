// Lists unsent posts in a cookie, so that posts lost with the database are found.
import { isUnused } from '#device/drafts/drafts.ts'
import { listJobs } from '#device/jobs/jobs.ts'
import type { CookieJar } from '#src/domain/session/session-cookie.ts'

const COOKIE = 'todoke_unsent'
const LIFETIME_MS = 400 * 24 * 3600 * 1000
/**
 * Highest number of ids, of all people; beyond it only the count is stored. A cookie is limited to 4 KB and is sent
 * with every request.
 */
const MAX_IDS = 100

/** The note of one person. */
interface Entry {
  owner: string
  ids: readonly string[]
  /** Number of unsent posts beside these. */
  more: number
}

/** Unsent posts that are no longer on the device. */
export interface Lost {
  ids: readonly string[]
  /** Number of all of them, including those without a noted id. */
  count: number
}

/** Ids of a person's unsent posts when the note was last written. */
export function readNote(jar: CookieJar, ownerId: string): readonly string[] {
  return entries(jar).find((it) => it.owner === ownerId)?.ids ?? []
}

/**
 * Replaces the noted ids of a person; those of other people stay.
 * @param more number of further posts without a noted id
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
  let room = MAX_IDS
  const notes = [{ owner: ownerId, ids, more }, ...others].map((it) => {
    const first = it.ids.slice(0, room)
    room -= first.length
    return { ...it, ids: first, more: it.more + it.ids.length - first.length }
  })
  const filled = notes.filter((it) => it.ids.length + it.more > 0)
  if (JSON.stringify(filled) === JSON.stringify(before)) return
  const expires = new Date(filled.length === 0 ? 0 : now + LIFETIME_MS).toUTCString()
  const secure = globalThis.location?.protocol === 'https:' ? '; Secure' : ''
  jar.cookie = `${COOKIE}=${filled.map(textOf).join('.')}; Path=/; Expires=${expires}; SameSite=Strict${secure}`
}

/**
 * Compares the note with the device and updates it.
 * @returns noted posts of which the device has neither job, draft nor receipt
 */
export async function lostSince(jar: CookieJar, ownerId: string, now: number): Promise<Lost> {
  const noted = entries(jar).find((it) => it.owner === ownerId)
  const lost: string[] = []
  for (const id of noted?.ids ?? []) if (await isUnused(id)) lost.push(id)
  // Browsers evict a site's whole storage, so the posts without a noted id were lost too.
  const more = lost.length > 0 ? (noted?.more ?? 0) : 0
  // An identity check is not restored as a draft of a post; its steps begin again.
  const jobs = (await listJobs(ownerId)).filter((job) => job.kind === 'post')
  writeNote(jar, ownerId, [...lost, ...jobs.map((job) => job.id)], now, more)
  return { ids: lost, count: lost.length + more }
}

/** `owner:more:id!id!…`, each id as 22 characters of base64url. */
const textOf = ({ owner, ids, more }: Entry): string =>
  `${encodeId(owner)}:${more}:${ids.map(encodeId).join('!')}`

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
      found.set(decodeId(owner), {
        owner: decodeId(owner),
        ids: ids.split('!').filter(Boolean).map(decodeId),
        more: Number(more) || 0,
      })
  }
  return [...found.values()]
}

/** A UUID as 22 characters of base64url. */
function encodeId(id: string): string {
  const bytes = id.replaceAll('-', '').match(/../g) ?? []
  const text = btoa(String.fromCharCode(...bytes.map((it) => Number.parseInt(it, 16))))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function decodeId(text: string): string {
  const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  const hex = Array.from(bytes, (it) => it.charCodeAt(0).toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
