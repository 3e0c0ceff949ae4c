// Reading profiles.
import { getProfile } from '#contract/people.ts'
import { queryFor } from '#src/lib/query.ts'

/** One person's profile. */
export const profileQuery = (id: string) => queryFor(getProfile, { params: { user_id: id } })
