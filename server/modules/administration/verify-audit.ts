// Verifies the chain of the audit log from its first entry to its last.
import { type Break, createVerifier, type Head, type Macs } from '#server/rules/audit/chain.ts'
import { findUnchained, readEntries } from '#server/store/audit/chain.ts'
import type { Db } from '#server/store/database.ts'

/** Entries that are read at once. */
const BATCH = 5000

export interface Verified {
  /** The first break; undefined for a log that was not changed. */
  readonly broken: Break | undefined
  /** The last entry that is right: the anchor of the next verification. */
  readonly head: Head
}

/**
 * Reads the whole log, part by part. Entries that are added meanwhile are verified too.
 * @param anchor the head of an earlier verification, without which a missing end is not found
 */
export async function verifyAudit(db: Db, macs: Macs, anchor?: Head): Promise<Verified> {
  const verifier = createVerifier(macs, anchor)
  for (;;) {
    const rows = await readEntries(db, verifier.head().seq, BATCH)
    for (const row of rows) {
      const broken = verifier.next({ ...row, at: row.at.getTime() })
      if (broken) return { broken, head: verifier.head() }
    }
    if (rows.length < BATCH) break
  }
  const unchained = await findUnchained(db)
  const broken: Break | undefined =
    verifier.end() ?? (unchained && { is: 'inserted', seq: null, id: unchained.id })
  return { broken, head: verifier.head() }
}
