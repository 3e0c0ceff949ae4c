// Queries of a person's identity check and of the facts that it compares.
import { getOwnInfo } from '#contract/accounts/settings.ts'
import { getIdentity } from '#contract/identity/identity.ts'
import { queryFor } from '#src/domain/queries/query.ts'

export const identityQuery = { ...queryFor(getIdentity, {}), staleTime: 0 }
export const ownFactsQuery = queryFor(getOwnInfo, {})
