// State of a person's identity check on the server; polled often, for an admin decides it elsewhere.
import { getIdentity } from '#contract/identity/identity.ts'
import { queryFor } from '#src/domain/queries/query.ts'

export const identityQuery = { ...queryFor(getIdentity, {}), staleTime: 0 }
