// The job that builds a person's zip, and the hourly expiry of zips.
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { EXPORT_MS } from '#contract/accounts/export.ts'
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
import { gather } from './gather.ts'

const HOUR = 3600 * 1000
const DAY = 24 * HOUR
/** If another process builds the zip, the job checks again after this, s: that process may die. */
const LOOK_AGAIN = 60

export async function makeExport(deps: Deps, exportId: string): Promise<void> {
  const turn = await deps.database.exclusively(`export ${exportId}`, () => makeAlone(deps, exportId))
  if (turn === 'busy') await lookAgain(deps, exportId)
}

const lookAgain = ({ transaction }: Deps, exportId: string): Promise<void> =>
  transaction(({ enqueue }) => enqueue('export.make', { exportId }, { seconds: LOOK_AGAIN }))

/** A zip that cannot be built is marked as failed, and can be requested again; an interrupted one is built again. */
async function makeAlone(deps: Deps, exportId: string): Promise<void> {
  const row = await findWaitingExport(deps.db, exportId)
  if (!row) return
  // The zip is about as large as everything it holds; one that waits for a day has failed (`giveUpExports`).
  if (!(await deps.files.room.fits(await storedBytesOf(deps.db, row.userId))))
    return lookAgain(deps, exportId)
  try {
    await make(deps, row)
  } catch (error) {
    if (!deps.draining.now) await setExportFailed(deps.db, exportId)
    throw error
  }
}

async function make(deps: Deps, row: ExportRow): Promise<void> {
  const { files, clock } = deps
  const entries = await gather(deps, row.userId)
  if (!entries) return
  const written = files.newTemporary()
  try {
    await files.writeZip(written, entries, clock())
    const place = files.exportPath(row.id)
    const length = (await files.sizeOf(written)) ?? 0
    await files.moveDurably(written, place)
    if (!(await tell(deps, row, length))) await files.remove(place)
  } finally {
    await files.remove(written)
  }
}

/** The zip is announced by the transaction that makes it fetchable. */
async function tell(deps: Deps, { id, userId }: ExportRow, length: number): Promise<boolean> {
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
    const url = `${settings.publicUrl}/user/data-export?token=${secret}`
    await email({ email: user.email, name: user.name }, { is: 'export_ready', url, expires })
    return true
  })
}

/** Zips go when their time is over; a file no row knows was left by a process that died. */
export async function reapExports(deps: Deps): Promise<void> {
  const { db, clock, files } = deps
  const now = clock()
  for (const id of await expireExports(db, now)) await files.remove(files.exportPath(id))
  await giveUpExports(db, now - DAY)
  await removeExportsBefore(db, now - 30 * DAY)
  const names = (await readdir(files.exports)).filter((it) => it.endsWith('.zip'))
  const ready = await readyAmong(
    db,
    names.map((it) => path.basename(it, '.zip')).filter((it) => /^[0-9a-f-]{36}$/.test(it)),
  )
  for (const name of names) {
    if (ready.has(path.basename(name, '.zip'))) continue
    const file = path.join(files.exports, name)
    const about = await stat(file).catch(() => undefined)
    if (about && now - about.mtimeMs > HOUR) await files.remove(file)
  }
}
