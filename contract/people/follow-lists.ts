// The two lists of /profile/follow. On its own, so that the address is read without the rest of the contract.
import * as v from 'valibot'

export const followList = v.picklist(['followers', 'following'])
export type FollowList = v.InferOutput<typeof followList>
