// Photographs an identity check, for tests.
import { newId } from '#contract/ids.ts'
import { chooseDocument, storePart, storePrompts } from '#device/jobs/identity.ts'

export const NOW = Date.parse('2026-03-05T03:30:00Z')

/** Prompts for the recording, as the server gives them. */
export const newPrompts = () => ({ id: newId(), prompts: ['nod', 'turn_right'], expiresAt: NOW + 60_000 })

/** A file with this text, in place of a picture or a recording. */
export const identityFile = (text: string, type = 'image/jpeg') => new Blob([text], { type })

/** The Web Locks of one process without other pages. */
export const locks = {
  request: (_name: string, work: () => unknown) => work(),
  query: async () => ({ held: [] }),
}

/** Stores a whole check of this person: a driving licence, both sides, and the recording. */
export async function storeWholeCheck(ownerId: string): Promise<void> {
  await chooseDocument(ownerId, 'drivers_license', NOW)
  await storePart(ownerId, 'front', identityFile('front'), NOW)
  await storePart(ownerId, 'back', identityFile('back'), NOW)
  await storePrompts(ownerId, newPrompts(), NOW)
  await storePart(ownerId, 'live', identityFile('live', 'video/webm'), NOW)
}
