// A note of the posts on their way, kept outside the device's database: what it names and the database lacks was lost.
import { isUnused } from '#device/drafts.ts'
import { listJobs } from '#device/jobs.ts'
import type { CookieJar } from './session-cookie.ts'

const COOKIE = 'todoke_unsent'
const KEEP_MS = 400 * 24 * 3600 * 1000
/** A cookie travels with every request: it stays small. */
const MOST = 20

/** Ids of a person's posts that were on their way when the note was last written. */
export function readNote(jar: CookieJar, ownerId: string): string[] {
  return entries(jar).flatMap(([owner, id]) => (owner === ownerId ? [id] : []))
}

/** Notes these and no other ids for a person; other people's stay. */
export function writeNote(jar: CookieJar, ownerId: string, ids: readonly string[], now: number): void {
  const before = entries(jar)
  const others = before.filter(([owner]) => owner !== ownerId)
  const mine = ids.map((id): Entry => [ownerId, id])
  const value = [...others, ...mine].slice(-MOST).map((entry) => entry.join(':'))
  if (value.join('.') === before.map((entry) => entry.join(':')).join('.')) return
  const expires = new Date(value.length === 0 ? 0 : now + KEEP_MS).toUTCString()
  const secure = globalThis.location?.protocol === 'https:' ? '; Secure' : ''
  jar.cookie = `${COOKIE}=${value.join('.')}; Path=/; Expires=${expires}; SameSite=Strict${secure}`
}

/**
 * Compares the note with the device and brings it up to date.
 * @returns ids of noted posts of which the device has neither job, draft nor receipt
 */
export async function lostSince(jar: CookieJar, ownerId: string, now: number): Promise<string[]> {
  const lost: string[] = []
  for (const id of readNote(jar, ownerId)) if (await isUnused(id)) lost.push(id)
  // An identity check comes back as no draft of a post; its steps begin anew.
  const jobs = (await listJobs(ownerId)).filter((job) => job.kind === 'post')
  writeNote(jar, ownerId, [...lost, ...jobs.map((job) => job.id)], now)
  return lost
}

type Entry = [owner: string, id: string]

function entries(jar: CookieJar): Entry[] {
  const part = jar.cookie.split('; ').find((it) => it.startsWith(`${COOKIE}=`))
  const value = part?.slice(COOKIE.length + 1) ?? ''
  return value.split('.').flatMap((it): Entry[] => {
    const [owner, id] = it.split(':')
    return owner && id ? [[owner, id]] : []
  })
}
