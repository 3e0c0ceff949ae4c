// States of a notice: which acts are allowed in each, and what they lead to.
import type { NoticeAct } from '#contract/notices/admin-notices.ts'
import type { NoticeState } from '#contract/notices/notice-states.ts'

/** `begin`: a scheduled notice is due. `finish`: its last batch is done. Both are acts of the server. */
export type NoticeStep = NoticeAct | 'begin' | 'finish'

const steps: Record<NoticeStep, { readonly from: readonly NoticeState[]; readonly to: NoticeState }> = {
  schedule: { from: ['draft', 'scheduled'], to: 'scheduled' },
  unschedule: { from: ['scheduled'], to: 'draft' },
  publish: { from: ['draft', 'scheduled'], to: 'publishing' },
  begin: { from: ['scheduled'], to: 'publishing' },
  stop: { from: ['publishing'], to: 'stopped' },
  resume: { from: ['stopped'], to: 'publishing' },
  finish: { from: ['publishing'], to: 'published' },
  withdraw: { from: ['publishing', 'stopped', 'published'], to: 'withdrawn' },
}

/** The state after a step; undefined where the state does not allow it. */
export function after(state: NoticeState, step: NoticeStep): NoticeState | undefined {
  const { from, to } = steps[step]
  return from.includes(state) ? to : undefined
}

/** The states in which readers see a notice. */
export const shownStates = ['publishing', 'stopped', 'published'] as const satisfies readonly NoticeState[]

export const isShown = (state: NoticeState): boolean => shownStates.some((it) => it === state)

/** What staff may change: everything before it is published, then its words and its bar, and nothing once it is withdrawn. */
export function changeable(state: NoticeState): 'everything' | 'words' | 'nothing' {
  if (state === 'draft' || state === 'scheduled') return 'everything'
  return isShown(state) ? 'words' : 'nothing'
}

/** Why a notice cannot be published as it is; undefined when it can. */
export function publishProblem(
  notice: { readonly content: readonly unknown[]; readonly isAdvertising: boolean },
  operator: { readonly name: string | null; readonly address: string | null; readonly email: string | null },
): { readonly body: 'required' } | { readonly is_advertising: 'required' } | undefined {
  if (notice.content.length === 0) return { body: 'required' }
  // 特定電子メール法: the sender's name, address and contact in every advertising email.
  const isNamed = operator.name !== null && operator.address !== null && operator.email !== null
  return notice.isAdvertising && !isNamed ? { is_advertising: 'required' } : undefined
}
