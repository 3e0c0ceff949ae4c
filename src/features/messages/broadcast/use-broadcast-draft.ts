// The unfinished broadcast of a creator, stored on the device.
import type { OwnPlan } from '#contract/plans/plans.ts'
import { MAX_MESSAGE } from '#contract/limits.ts'
import { isInvisible, lengthOf } from '#contract/text/text-rule.ts'
import { useTypedFields } from '#src/domain/drafts/form-note.ts'
import { textSentence } from '#src/domain/forms/problem-text.ts'
import { broadcastText as words } from './text.ts'

/** From the address: what is chosen before anything was typed. */
export interface Preset {
  readonly plan: string | undefined
  readonly post: string | undefined
}

export interface BroadcastDraft {
  readonly content: string
  readonly length: number
  readonly planIds: readonly string[]
  readonly postId: string | null
  readonly isRestored: boolean
  /** Why it cannot be sent yet, at its field. */
  readonly problems: { readonly plans?: string; readonly content?: string }
  readonly type: (content: string) => void
  readonly choosePlan: (id: string, chosen: boolean) => void
  readonly choosePost: (id: string | null) => void
  readonly clear: () => void
}

/** @param plans own plans that have not ended */
export function useBroadcastDraft(plans: readonly OwnPlan[], preset: Preset): BroadcastDraft {
  const only = plans.length === 1 ? plans[0]?.id : undefined
  const defaults = { content: '', plans: preset.plan ?? only ?? '', post: preset.post ?? '' }
  const { values, change, clear, isRestored } = useTypedFields('broadcast', defaults)
  // A plan may have ended since it was chosen.
  const planIds = values.plans.split(',').filter((id) => plans.some((it) => it.id === id))
  const postId = values.post === '' ? null : values.post
  return {
    content: values.content,
    length: lengthOf(values.content.trim(), MAX_MESSAGE),
    planIds,
    postId,
    isRestored,
    problems: problemsOf(values.content.trim(), planIds, postId),
    type: (content) => change({ content }),
    choosePlan(id, chosen) {
      const others = planIds.filter((it) => it !== id)
      change({ plans: (chosen ? [...others, id] : others).join(',') })
    },
    choosePost: (id) => change({ post: id ?? '' }),
    clear,
  }
}

function problemsOf(
  content: string,
  planIds: readonly string[],
  postId: string | null,
): BroadcastDraft['problems'] {
  const over = lengthOf(content, MAX_MESSAGE) - MAX_MESSAGE
  const isEmpty = isInvisible(content) && (postId === null || content !== '')
  const problem =
    over > 0
      ? words.tooLong(over)
      : isEmpty
        ? words.needsContent
        : (textSentence(content, MAX_MESSAGE) ?? undefined)
  return {
    ...(planIds.length === 0 && { plans: words.needsPlan }),
    ...(problem !== undefined && { content: problem }),
  }
}
