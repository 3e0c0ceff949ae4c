// Writes the audit entries of a unit of work at the end of it.
import { newId } from '#contract/ids.ts'
import { type AuditEntry, detailOf } from '#contract/administration/audit-acts.ts'
import { chained, emptyHead, type Mac } from '#server/rules/audit/chain.ts'
import { addEntries, lastEntry, lockChain } from '#server/store/audit/chain.ts'
import type { Db } from '#server/store/database.ts'

export interface AuditPorts {
  /** With the server's key for the audit log. */
  readonly mac: Mac
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

export interface AuditingUnit {
  /**
   * Writes an entry to the audit log at the end of the transaction: both are committed, or neither is.
   * @throws ValiError for a detail that the act does not have
   */
  readonly audit: (entry: AuditEntry) => void
}

/** Entries that wait for the end of their transaction. */
export interface WaitingEntries extends AuditingUnit {
  /** Writes them. Nothing may follow it in the transaction: the chain is locked until the commit. */
  readonly write: (tx: Db) => Promise<void>
}

export function waitingEntries({ mac, clock }: AuditPorts): WaitingEntries {
  const waiting: { readonly entry: AuditEntry; readonly detail: object; readonly at: number }[] = []
  return {
    audit: (entry) => void waiting.push({ entry, detail: detailOf(entry), at: clock() }),
    async write(tx) {
      if (waiting.length === 0) return
      await lockChain(tx)
      const entries = waiting.map(({ entry: { actorId, act, subjectKind, subjectId, ip }, detail, at }) => ({
        id: newId(),
        actorId,
        act,
        subjectKind,
        subjectId,
        ip,
        detail,
        at,
      }))
      const added = chained((await lastEntry(tx)) ?? emptyHead, entries, mac)
      await addEntries(
        tx,
        added.map((it) => ({ ...it, at: new Date(it.at) })),
      )
    },
  }
}
