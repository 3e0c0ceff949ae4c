// The steps of an identity check, and their order. Pure.
import { backOf } from '#contract/identity/identity.ts'
import type { IdentityDraft } from '#device/database/schema.ts'
import { steps, type Step } from './step-names.ts'

type Parts = Pick<IdentityDraft, 'named' | 'documentKind' | 'asked' | 'front' | 'back' | 'live'> | undefined

/** Whether the chosen document has a back side. */
export function wantsBack(draft: Parts): boolean {
  return draft?.documentKind ? backOf[draft.documentKind] === 'wanted' : false
}

/** The steps of this check, in their order. */
export function stepsOf(draft: Parts): readonly Step[] {
  return steps.filter((step) => step !== 'back' || !draft?.documentKind || wantsBack(draft))
}

/** The first incomplete step. */
export function firstOpen(draft: Parts): Step {
  if (!draft?.named) return 'name'
  if (!draft.documentKind) return 'document'
  if (!draft.front) return 'front'
  if (wantsBack(draft) && !draft.back) return 'back'
  return draft.live ? 'confirm' : 'live'
}

/** The shown step: the requested one, unless an earlier one is incomplete. */
export function shownStep(draft: Parts, wanted: Step | undefined): Step {
  const open = firstOpen(draft)
  const all = stepsOf(draft)
  if (!wanted || !all.includes(wanted)) return open
  return all.indexOf(wanted) > all.indexOf(open) ? open : wanted
}

/** Time to start the upload before the gestures expire, ms. */
const MARGIN = 30_000

/** Whether the gestures were requested too long ago for a recording. */
export function hasExpired(request: IdentityDraft['asked'], now: number): boolean {
  return request !== null && now > request.expiresAt - MARGIN
}
