// A person, and the press of 投稿, for tests of the device.
import { newId } from '#contract/ids.ts'
import type { SessionUser } from '#contract/accounts/session.ts'
import { readDraft } from '#device/drafts/drafts.ts'
import { submitDraft, type Submission } from '#device/jobs/jobs.ts'

/** A member of this name, a new one each time. */
export const newUser = (name: string): SessionUser => ({
  id: newId(),
  email: `${name}@todoke.example`,
  name,
  avatar_url: null,
  role: 'member',
})

/** Submits a draft as it is stored, which is what an editor shows that follows it. */
export async function submitStored(id: string, ownerId: string, now: number): Promise<Submission> {
  const draft = await readDraft(id, ownerId)
  if (!draft) throw new Error('no such draft')
  return submitDraft(draft, now)
}
