// Ends measures and opinions in time, deletes removed content, and erases old inquiries.
import { inquiryKinds, keptMs, UNCONFIRMED_MS } from '#contract/inquiries/states.ts'
import type { Deps } from '#server/deps.ts'
import { applyMeasures } from '#server/services/moderation/apply.ts'
import { eraseDecided, removeUnconfirmed } from '#server/store/inquiries/inquiries.ts'
import { endOverMeasures, markFinal } from '#server/store/moderation/measures.ts'
import { emptyComment, listRemovedComments } from '#server/store/moderation/withheld.ts'
import { endSilentOpinions } from './inquiry-author.ts'

/** How long removed comments are stored: longer than an appeal may be sent. Posts: `modules/posts/deleted.ts`. */
const REMOVED_STORED_MS = 30 * 24 * 3600_000

/** Runs at the end of each measure, and hourly. */
export async function endMeasures({ transaction, clock }: Deps): Promise<void> {
  for (;;) {
    const ended = await transaction(async (unit) => {
      const over = await endOverMeasures(unit.tx, clock())
      for (const it of over) await applyMeasures(unit, it, clock())
      return over.length
    })
    if (ended === 0) return
  }
}

export async function emptyRemovedComments({ db, transaction, clock }: Deps): Promise<void> {
  const now = clock()
  for (const id of await listRemovedComments(db, now - REMOVED_STORED_MS))
    await transaction(async ({ tx }) => {
      await emptyComment(tx, id)
      await markFinal(tx, { targetKind: 'comment', targetId: id }, now)
    })
}

/** Deletes unconfirmed inquiries, ends opinions in time, and erases old texts. Runs hourly; a second run changes nothing. */
export async function sweepInquiries(deps: Deps): Promise<void> {
  const now = deps.clock()
  await endSilentOpinions(deps)
  await deps.transaction(async ({ tx }) => {
    await removeUnconfirmed(tx, now - UNCONFIRMED_MS)
    await eraseDecided(tx, (kind) => now - keptMs(kind), inquiryKinds)
  })
}
