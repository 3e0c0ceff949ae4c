// How a person's identity stands, as the server says; looked at often, for the decision is made elsewhere.
import { getIdentity } from '#contract/identity/identity.ts'
import { queryFor } from '#src/domain/queries/query.ts'

export const identityQuery = { ...queryFor(getIdentity, {}), staleTime: 0 }
