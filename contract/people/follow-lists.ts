// The two lists of /profile/follow, without imports of the contract.
import * as v from 'valibot'

export const followList = v.picklist(['followers', 'following'])
export type FollowList = v.InferOutput<typeof followList>
