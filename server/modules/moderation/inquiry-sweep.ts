// Deletes unconfirmed inquiries, ends opinions in time, and erases old texts.
import { inquiryKinds, keptMs, UNCONFIRMED_MS } from '#contract/inquiries/states.ts'
import type { Deps } from '#server/deps.ts'
import { eraseDecided, removeUnconfirmed } from '#server/store/inquiries/inquiries.ts'
import { endSilentOpinions } from './inquiry-author.ts'

/** Runs hourly. A second run changes nothing. */
export async function sweepInquiries(deps: Deps): Promise<void> {
  const now = deps.clock()
  await endSilentOpinions(deps)
  await deps.transaction(async ({ tx }) => {
    await removeUnconfirmed(tx, now - UNCONFIRMED_MS)
    await eraseDecided(tx, (kind) => now - keptMs(kind), inquiryKinds)
  })
}
