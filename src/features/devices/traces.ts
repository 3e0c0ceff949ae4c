// Removes data outside the device's database at a sign-out.
import { listJobs } from '#device/jobs/jobs.ts'
import { NOTICE_TAG } from '#contract/notifications/notices.ts'
import { deleteOwnNotes } from '#src/domain/drafts/own-notes.ts'
import { writeNote } from '#src/domain/drafts/unsent-note.ts'

/** Closes notices, deletes the person's notes, and updates the cookie of unsent posts. */
export async function clearTraces(ownerId: string): Promise<void> {
  deleteOwnNotes(ownerId)
  const parked = await listJobs(ownerId)
  writeNote(
    document,
    ownerId,
    parked.map((job) => job.id),
    Date.now(),
  )
  const registration = await navigator.serviceWorker?.getRegistration()
  for (const notice of (await registration?.getNotifications()) ?? [])
    if (notice.tag.startsWith(NOTICE_TAG)) notice.close()
}
