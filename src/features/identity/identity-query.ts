// The query of a person's identity check, polled for the admin's decision.
import { getIdentity } from '#contract/identity/identity.ts'
import { queryFor } from '#src/domain/queries/query.ts'

export const identityQuery = { ...queryFor(getIdentity, {}), staleTime: 0 }
