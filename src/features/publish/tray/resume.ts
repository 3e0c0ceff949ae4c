// Resumes conversions, and submissions that waited for them, of closed pages.
import { changeDraft, listDrafts } from '#device/drafts/drafts.ts'
import { listMedia } from '#device/files/media.ts'
import type { Draft } from '#device/database/schema.ts'
import { convertPicked } from '#src/domain/media/prepare/convert.ts'
import { submit } from '#src/sw-bridge.ts'
import { findLost } from '#src/domain/media/lost.ts'
import { isWaiting, problemsOf } from '#src/features/publish/editor/rules.ts'

/** Converts this person's photos, then submits the drafts that waited for them. Safe in every tab. */
export async function resumePicked(ownerId: string): Promise<void> {
  await convertPicked(ownerId)
  for (const draft of await listDrafts(ownerId)) if (draft.submitWhenReady) await submitWaiting(draft)
}

async function submitWaiting(draft: Draft): Promise<void> {
  const rows = await listMedia(draft.id)
  const lost = await findLost(rows)
  // Another tab holds the picked file, and submits the draft after its conversion.
  if (rows.some((row) => isWaiting(row, lost))) return
  const isComplete = Object.keys(problemsOf(draft, rows, lost)).length === 0
  if (isComplete) await submit(draft)
  // The person decides about photos that could not be converted, and submits again.
  else await changeDraft(draft, (it) => ({ ...it, submitWhenReady: false }), Date.now())
}
