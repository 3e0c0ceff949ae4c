// What an editor's address may say: which of the person's drafts it opens.
import * as v from 'valibot'
import { id } from '#contract/ids.ts'

export const uploadSearch = v.object({ draft: v.optional(v.fallback(v.optional(id), undefined)) })
