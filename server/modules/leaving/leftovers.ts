// Erases rows of deleted accounts again when what erasure leaves has changed since.
import { NO_ID } from '#contract/administration/audit-names.ts'
import type { Deps } from '#server/deps.ts'
import { eraseRows } from '#server/store/accounts/erasure.ts'
import { listDeleted } from '#server/store/accounts/leaving.ts'
import { wasListed } from '#server/store/audit/entries.ts'
import { erasureVersion } from '#server/store/personal/all.ts'

/** Accounts that are read at once. */
const PAGE = 100
const act = 'erasure.sweep'

/**
 * Once for each version of the duties of columns: rows of accounts that were deleted before it get what erasure leaves now. An
 * entry of the audit log says so, and that it is done; an interrupted sweep begins again.
 */
export async function sweepLeftovers({ db, transaction, audit }: Deps): Promise<void> {
  const done = { list: 'version', thing: erasureVersion }
  if (await wasListed(db, { actorId: NO_ID, act }, done)) return
  let count = 0
  for (let after = NO_ID, rest = true; rest;) {
    const page = await listDeleted(db, after, PAGE)
    for (const { id, email, deletedAt } of page)
      await transaction(({ tx }) => eraseRows(tx, { id, email }, deletedAt?.getTime() ?? 0))
    count += page.length
    after = page.at(-1)?.id ?? after
    rest = page.length === PAGE
  }
  if (count === 0) return
  const about = { subjectKind: 'storage', subjectId: NO_ID } as const
  await audit({ actorId: NO_ID, act, ...about, ip: '', detail: { version: erasureVersion, count } })
}
