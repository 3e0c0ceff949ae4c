// What must not stay: plain uploads of a check that is sealed, documents whose time is over, files no row knows.
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Deps } from '#server/deps.ts'
import { KEEP_MS } from '#server/rules/identity.ts'
import { removeDecidedFiles, knownCheckFiles } from '#server/store/identity/identity.ts'
import { removePromptsBefore } from '#server/store/identity/prompts.ts'
import { findUploads } from '#server/store/media/uploads.ts'

const DAY = 24 * 3600 * 1000
/** Prompts stay for a queue that is offline for long; whether they were used in time is decided by the upload. */
const KEEP_PROMPTS = 30 * DAY

/** Removes the plain bytes of uploads that were taken into a check. Twice does nothing. */
export async function clearPlain({ db, files }: Deps, uploadIds: readonly string[]): Promise<void> {
  // An id may have been reused since: that upload is another one.
  const alive = await findUploads(db, uploadIds)
  for (const id of uploadIds) if (!alive.has(id)) await files.remove(files.uploadPath(id))
}

/** The hourly sweep: decision 021 says how long documents are stored. */
export async function reapIdentity(deps: Deps): Promise<void> {
  const { db, clock, files } = deps
  const now = clock()
  for (const state of ['approved', 'rejected'] as const) {
    const gone = await removeDecidedFiles(db, state, now - KEEP_MS[state])
    for (const id of gone) await files.remove(files.sealedPath(id))
  }
  await removePromptsBefore(db, now - KEEP_PROMPTS)
  await removePlain(deps)
  await removeOrphans(deps, now)
}

/**
 * What a process that was killed could not remove. The job that would is another's until its time has run out: half an
 * hour is long for a document to lie about, and a server that starts looks here first.
 */
async function removePlain(deps: Deps): Promise<void> {
  const names = (await readdir(deps.files.uploads)).filter((name) => /^[0-9a-f-]{36}$/.test(name))
  for (let i = 0; i < names.length; i += 500)
    await clearPlain(deps, [...(await knownCheckFiles(deps.db, names.slice(i, i + 500)))])
}

/** A file may wait for the transaction that names it: one that is unnamed for a day has lost it. */
async function removeOrphans({ db, files }: Deps, now: number): Promise<void> {
  const names = await readdir(files.identity)
  for (let i = 0; i < names.length; i += 500) {
    const page = names.slice(i, i + 500)
    const known = await knownCheckFiles(
      db,
      page.filter((name) => /^[0-9a-f-]{36}$/.test(name)),
    )
    for (const name of page) {
      if (known.has(name)) continue
      const file = path.join(files.identity, name)
      const about = await stat(file).catch(() => undefined)
      if (about && now - about.mtimeMs > DAY) await files.remove(file)
    }
  }
}
