// Views of the mentions in a text.
import { handlesIn, type MentionView } from '#contract/text/mentions.ts'

/** @param ids of the people, by handle; from `findHandles` */
export function mentionViews(text: string, ids: ReadonlyMap<string, string>): MentionView[] {
  return handlesIn(text).flatMap((handle) => {
    const id = ids.get(handle)
    return id === undefined ? [] : [{ handle, id }]
  })
}
