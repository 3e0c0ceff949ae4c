// Reading how many bytes the person has stored.
import { getStorage } from '#contract/storage.ts'
import { queryFor } from '#src/domain/queries/query.ts'

export const storageQuery = queryFor(getStorage, {})
