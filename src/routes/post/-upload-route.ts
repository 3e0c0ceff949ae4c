// Shared by the routes of both editors: access, header, and the draft they open.
import * as v from 'valibot'
import { id } from '#contract/ids.ts'
import { shareTroubles } from '#contract/paths.ts'
import { text } from '#src/domain/text/text.ts'

export const uploadStatic = { access: 'member', layout: 'head-title', title: text.nav.publish } as const

/** One of the person's drafts; anything else opens the last changed one. */
export const uploadSearch = v.object({
  draft: v.optional(v.fallback(v.optional(id), undefined)),
  /** Why shared content could not be added. */
  share: v.optional(v.fallback(v.optional(v.picklist(shareTroubles)), undefined)),
})
