// Shared by the routes of both editors: access, header, and the draft they open.
import * as v from 'valibot'
import { shareTroubles } from '#contract/paths.ts'
import { text } from '#src/domain/text/text.ts'
import { searchId } from '#src/lib/search-text.ts'

export const uploadStatic = { access: 'member', layout: 'head-title', title: text.nav.publish } as const

/** One of the person's drafts; anything else opens the last changed one. */
export const uploadSearch = v.object({
  draft: searchId,
  /** Why shared content could not be added. */
  share: v.optional(v.fallback(v.optional(v.picklist(shareTroubles)), undefined)),
})
