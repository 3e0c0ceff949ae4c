// The job that builds a person's zip, and the hourly expiry of zips.
import { EXPORT_MS } from '#contract/accounts/export.ts'
import { OutcomeUnknown } from '#server/services/transaction/unit-of-work.ts'
import type { Deps } from '#server/deps.ts'
import { hashToken, newToken } from '#server/services/auth/authenticate.ts'
import {
  expireExports,
  type ExportRow,
  findWaitingExport,
  removeExportsBefore,
  giveUpExports,
  readyAmong,
  setExportFailed,
  setExportReady,
} from '#server/store/accounts/exports.ts'
import { findUser } from '#server/store/people/people.ts'
import { storedBytesOf } from '#server/store/media/usage.ts'
import { gatherEntries } from './gather.ts'

const HOUR = 3600 * 1000
const DAY = 24 * HOUR
/** Seconds until the job checks again: a process that builds the zip may die, and a full disk may get room. */
const RETRY_SECONDS = 60

export async function makeExport(deps: Deps, exportId: string): Promise<void> {
  const outcome = await deps.database.exclusively(`export ${exportId}`, () => makeExclusively(deps, exportId))
  if (outcome === 'busy') await retryLater(deps, exportId)
}

const retryLater = ({ transaction }: Deps, exportId: string): Promise<void> =>
  transaction(({ enqueue }) => enqueue('export.make', { exportId }, { seconds: RETRY_SECONDS }))

/** A zip that cannot be built is marked as failed, and can be requested again; an interrupted one is built again. */
async function makeExclusively(deps: Deps, exportId: string): Promise<void> {
  const row = await findWaitingExport(deps.db, exportId)
  if (!row) return
  // The zip is about as large as its content; an export that waits for a day is marked as failed (`giveUpExports`).
  if (!(await deps.storage.room.fits(await storedBytesOf(deps.db, row.userId))))
    return retryLater(deps, exportId)
  try {
    await buildZip(deps, row)
  } catch (error) {
    // Its email may be on the way; the next attempt finds the export ready, or waiting.
    if (error instanceof OutcomeUnknown) throw error
    if (!deps.draining.now) await setExportFailed(deps.db, exportId)
    throw error
  }
}

async function buildZip(deps: Deps, row: ExportRow): Promise<void> {
  const { storage, clock } = deps
  const { objects, scratch } = storage
  const entries = await gatherEntries(deps, row.userId)
  if (!entries) return
  const temporary = scratch.newPath()
  try {
    await storage.writeZip(temporary, entries, clock())
    const key = `exports/${row.id}.zip` as const
    await objects.put(key, temporary)
    const length = (await objects.sizeOf(key)) ?? 0
    if (!(await announce(deps, row, length))) await objects.remove(key, 'at_once')
  } finally {
    await scratch.remove(temporary)
  }
}

/**
 * Makes the zip available and enqueues its email, in one transaction.
 * @returns false if the account or the waiting export no longer exists
 */
async function announce(deps: Deps, { id, userId }: ExportRow, length: number): Promise<boolean> {
  const { clock, transaction, settings } = deps
  const secret = newToken()
  const expires = clock() + EXPORT_MS
  return transaction(async ({ tx, email }) => {
    const user = await findUser(tx, userId)
    const ready = {
      tokenHash: hashToken(secret),
      length,
      readyAt: new Date(clock()),
      expiresAt: new Date(expires),
    }
    if (!user || !(await setExportReady(tx, id, ready))) return false
    const url = `${settings.publicUrl}/user/data-export#token=${secret}`
    await email({ email: user.email, name: user.name }, { is: 'export_ready', url, expires })
    return true
  })
}

/** Removes expired zips, and files without a row, which a killed process left. */
export async function removeExpiredExports({ db, clock, storage: { objects } }: Deps): Promise<void> {
  const now = clock()
  for (const id of await expireExports(db, now)) await objects.remove(`exports/${id}.zip`)
  await giveUpExports(db, now - DAY)
  await removeExportsBefore(db, now - 30 * DAY)
  for await (const page of objects.list('exports')) {
    const zips = page.filter(({ name }) => name.endsWith('.zip'))
    const idOf = (name: string) => name.slice(0, -'.zip'.length)
    const ids = zips.map(({ name }) => idOf(name)).filter((it) => /^[0-9a-f-]{36}$/.test(it))
    const ready = await readyAmong(db, ids)
    for (const { name, modifiedAt } of zips) {
      if (ready.has(idOf(name))) continue
      const at = await modifiedAt()
      if (at !== undefined && now - at > HOUR) await objects.remove(`exports/${name}`)
    }
  }
}
