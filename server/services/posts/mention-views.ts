// Finds the people whom a text mentions.
import { handlesIn, type MentionView } from '#contract/text/mentions.ts'

/** @param ids whose each handle is, from `findHandles` */
export function mentionViews(text: string, ids: ReadonlyMap<string, string>): MentionView[] {
  return handlesIn(text).flatMap((handle) => {
    const id = ids.get(handle)
    return id === undefined ? [] : [{ handle, id }]
  })
}
