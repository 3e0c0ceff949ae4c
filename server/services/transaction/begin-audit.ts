// Begins the chain of the audit log with the entries from before it.
import { NO_ID } from '#contract/administration/audit-names.ts'
import { chained, emptyHead, type Mac } from '#server/rules/audit/chain.ts'
import {
  countUnchained,
  lastEntry,
  lockChain,
  placeEntries,
  readUnchained,
} from '#server/store/audit/chain.ts'
import type { Db } from '#server/store/database.ts'
import type { Transaction, UnitOfWork } from './unit-of-work.ts'

/** Entries that get their places by one statement. */
const BATCH = 1000

export interface BeginPorts {
  readonly db: Db
  readonly transaction: Transaction<UnitOfWork>
  readonly mac: Mac
}

/**
 * Gives the entries from before the chain their places, in the order of their time, and writes `audit.begin`. It does so only
 * while the chain is empty, so that an entry that is put into the database without a place never gets one.
 */
export async function beginAudit({ db, transaction, mac }: BeginPorts): Promise<void> {
  if (await lastEntry(db)) return
  await transaction(async ({ tx, audit }) => {
    await lockChain(tx)
    if (await lastEntry(tx)) return
    const entries = await countUnchained(tx)
    let head = emptyHead
    let after: { readonly at: Date; readonly id: string } | undefined
    for (;;) {
      const rows = await readUnchained(tx, after, BATCH)
      const places = chained(
        head,
        rows.map((row) => ({ ...row, at: row.at.getTime() })),
        mac,
      )
      if (places.length > 0) await placeEntries(tx, places)
      after = rows.at(-1)
      head = places.at(-1) ?? head
      if (rows.length < BATCH) break
    }
    const subject = { subjectKind: 'audit_log', subjectId: NO_ID } as const
    audit({ actorId: NO_ID, act: 'audit.begin', ...subject, detail: { entries }, ip: '' })
  })
}
