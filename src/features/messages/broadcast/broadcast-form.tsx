// BroadcastForm: plans, text and post of a new broadcast, with a confirmation.
import { useState } from 'react'
import { newId } from '#contract/ids.ts'
import { countAudience } from '#contract/messages/broadcasts.ts'
import { MAX_MESSAGE } from '#contract/limits.ts'
import type { OwnPlan } from '#contract/plans/plans.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { refusalOf } from '#src/domain/api/refusal.ts'
import { mutate } from '#src/domain/mutations/mutations.ts'
import { planWords } from '#src/domain/plans/text.ts'
import { restoredText, text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'
import { Check } from '#src/ui/fields/check.tsx'
import { Field, FieldNotes, TextArea } from '#src/ui/fields/field.tsx'
import { AlertDialog } from '#src/ui/overlays/alert-dialog.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { Restored } from '#src/ui/states/restored.tsx'
import type { LoadFailed } from './broadcast-page.tsx'
import { PostChoice } from './post-choice.tsx'
import { broadcastText as words } from './text.ts'
import { type BroadcastDraft, type Preset, useBroadcastDraft } from './use-broadcast-draft.ts'

interface BroadcastFormProps {
  readonly ownId: string
  /** Own plans that have not ended. */
  readonly plans: readonly OwnPlan[]
  readonly preset: Preset
  readonly failed: LoadFailed
}

export function BroadcastForm({ ownId, plans, preset, failed }: BroadcastFormProps) {
  const draft = useBroadcastDraft(plans, preset)
  const sending = useSending(draft, plans)
  const shown = sending.isTried ? draft.problems : {}
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        const form = event.currentTarget
        // The problems are shown by the next render.
        void sending.check().then(() => requestAnimationFrame(() => focusProblem(form)))
      }}
      className="flex flex-col gap-5 px-4 pt-4 pb-6 rail:px-6"
    >
      <p className="text-soft">{words.lead}</p>
      {draft.isRestored && <Restored {...restoredText} onDiscard={draft.clear} />}
      <fieldset
        className="min-w-0"
        aria-describedby="broadcast-plans"
        data-problem={shown.plans !== undefined || sending.problem !== undefined || undefined}
      >
        <legend className="text-sm font-semibold">{words.plans}</legend>
        {plans.map((plan) => (
          <Check
            key={plan.id}
            label={plan.name}
            checked={draft.planIds.includes(plan.id)}
            onChange={(chosen) => draft.choosePlan(plan.id, chosen)}
            aside={
              <span className="shrink-0 text-sm text-soft tabular-nums">
                {planWords.members(plan.member_count)}
              </span>
            }
          />
        ))}
        <FieldNotes id="broadcast-plans" error={shown.plans ?? sending.problem} />
      </fieldset>
      <Field label={words.content} error={shown.content} count={{ now: draft.length, max: MAX_MESSAGE }}>
        <TextArea value={draft.content} onChange={(event) => draft.type(event.target.value)} />
      </Field>
      <PostChoice ownId={ownId} postId={draft.postId} failed={failed} onChoose={draft.choosePost} />
      <p>
        <Button type="submit" look="seal" wide busy={sending.isBusy} busyLabel={text.working}>
          {words.check}
        </Button>
      </p>
      <AlertDialog
        open={sending.question !== undefined}
        onOpenChange={(open) => !open && sending.close()}
        title={sending.question ?? ''}
        description={words.confirmText}
        cancel={text.cancel}
        action={{ label: words.confirmAct, onSelect: () => void sending.send() }}
      />
    </form>
  )
}

/** Focuses the first field with a problem, where the person continues. */
function focusProblem(form: HTMLFormElement): void {
  form.querySelector<HTMLElement>('[data-problem] button, [aria-invalid=true]')?.focus()
}

/** The steps from the form to the queue: the number of people, its confirmation, and the mutation. */
function useSending(draft: BroadcastDraft, plans: readonly OwnPlan[]) {
  const [isTried, setTried] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [question, setQuestion] = useState<string>()
  const [problem, setProblem] = useState<string>()
  /** How many get it at most, where the server cannot be reached. */
  const most = plans
    .filter((it) => draft.planIds.includes(it.id))
    .reduce((sum, it) => sum + it.member_count, 0)
  return {
    isTried,
    isBusy,
    question,
    problem,
    close: () => setQuestion(undefined),
    async check() {
      setTried(true)
      setProblem(undefined)
      if (Object.keys(draft.problems).length > 0 || isBusy) return
      setBusy(true)
      try {
        const count = await audienceOf(draft.planIds)
        if (count === 0) setProblem(words.noMembers)
        else setQuestion(count === undefined ? words.confirmAtMost(most) : words.confirm(count))
      } catch (failure) {
        if (!(failure instanceof ApiFailure)) throw failure
        const { fields, whole } = refusalOf(failure, ['plan_ids'])
        setProblem(fields['plan_ids'] ?? whole)
      } finally {
        setBusy(false)
      }
    },
    async send() {
      setQuestion(undefined)
      const id = newId()
      const body = { id, content: draft.content.trim(), plan_ids: draft.planIds, post_id: draft.postId }
      await mutate({ name: 'sendBroadcast', params: {}, body }, '', id)
      draft.clear()
      setTried(false)
      toast(navigator.onLine ? words.accepted : words.offline, 'success')
    },
  }
}

/** @returns undefined without a connection @throws ApiFailure when the server refuses the plans */
async function audienceOf(planIds: readonly string[]): Promise<number | undefined> {
  try {
    return (await call(countAudience, { query: { plan_ids: planIds.join(',') } })).recipients
  } catch (failure) {
    if (failure instanceof ApiFailure && failure.code === 'invalid') throw failure
    return undefined
  }
}
