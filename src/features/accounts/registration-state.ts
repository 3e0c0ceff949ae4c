// Whether new accounts are made now.
import { getRegistration } from '#contract/accounts/invitations.ts'
import { queryFor } from '#src/domain/queries/query.ts'

export const registrationQuery = { ...queryFor(getRegistration, {}), staleTime: 0 }
