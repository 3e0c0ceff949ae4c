// Reading how many bytes the person has stored.
import { getStorage } from '#contract/storage.ts'
import { queryFor } from './query.ts'

export const storageQuery = queryFor(getStorage, {})
