// Reading how many bytes the person has stored.
import { getStorage } from '#contract/accounts/storage.ts'
import { queryFor } from '#src/domain/queries/query.ts'

export const storageQuery = queryFor(getStorage, {})
