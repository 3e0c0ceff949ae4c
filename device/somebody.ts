// A person for tests of what stands on a device.
import { newId } from '#contract/ids.ts'
import type { SessionUser } from '#contract/session.ts'

/** A member of this name, a new one each time. */
export const somebody = (name: string): SessionUser => ({
  id: newId(),
  email: `${name}@todoke.example`,
  name,
  avatar_url: null,
  role: 'member',
})
