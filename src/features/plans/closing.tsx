// PlanClosing: announces the end of a plan, or shows the announced day.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { PLAN_NOTICE_DAYS, PLAN_NOTICE_MAX_DAYS } from '#contract/limits.ts'
import { closePlan, type OwnPlan } from '#contract/plans/plans.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { lastDay } from '#src/domain/plans/text.ts'
import { text } from '#src/domain/text/text.ts'
import { isoDay } from '#src/lib/format.ts'
import { Button } from '#src/ui/button.tsx'
import { DateField } from '#src/ui/fields/date-field.tsx'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { ownPlansQuery } from './plans.ts'
import { planText } from './text.ts'

const words = planText.closing
const DAY = 24 * 3600_000

/** The day in Tokyo that is some days away, `YYYY-MM-DD`. */
const dayAfter = (days: number, now: number) => isoDay(now + days * DAY)

export function PlanClosing({ plan }: { plan: OwnPlan }) {
  const [open, setOpen] = useState(false)
  return (
    <section aria-labelledby="closing" className="border-t border-line px-4 py-5 rail:px-6">
      <h2 id="closing" className="font-semibold">
        {words.title}
      </h2>
      <p className="mt-1 text-sm text-soft">{sentenceOf(plan)}</p>
      {plan.ends_at === null && (
        <>
          <Button look="danger" size="small" className="mt-2 -ml-4" onClick={() => setOpen(true)}>
            {words.open}
          </Button>
          <ClosingSheet plan={plan} open={open} onOpenChange={setOpen} />
        </>
      )}
    </section>
  )
}

function sentenceOf({ ends_at: endsAt, state }: OwnPlan): string {
  if (endsAt === null) return words.about
  return state === 'ended' ? words.ended(lastDay(endsAt)) : words.announced(lastDay(endsAt))
}

interface ClosingSheetProps {
  plan: OwnPlan
  open: boolean
  onOpenChange: (open: boolean) => void
}

function ClosingSheet({ plan, open, onOpenChange }: ClosingSheetProps) {
  const hasMembers = plan.member_count > 0
  const [first] = useState(() => dayAfter(hasMembers ? PLAN_NOTICE_DAYS : 0, Date.now()))
  const [day, setDay] = useState(first)
  const { busy, problem, setProblem, close } = useClosing(plan, () => onOpenChange(false))
  const year = Number(first.slice(0, 4))
  return (
    <Sheet
      open={open}
      onOpenChange={(next) => !busy && onOpenChange(next)}
      title={words.sheet}
      description={words.final}
      closeLabel={text.close}
      footer={
        <Button look="danger" wide busy={busy} busyLabel={text.working} onClick={() => void close(day)}>
          {words.action}
        </Button>
      }
    >
      <DateField
        label={words.day}
        hint={hasMembers ? words.tooEarly.withMembers : undefined}
        error={problem}
        value={day}
        onChange={(next) => {
          setDay(next)
          setProblem(undefined)
        }}
        years={{ from: year + 1, to: year }}
        words={words.date}
      />
    </Sheet>
  )
}

/** Sends the day; a day that is refused is explained. */
function useClosing(plan: OwnPlan, onDone: () => void) {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const tooEarly = plan.member_count > 0 ? words.tooEarly.withMembers : words.tooEarly.alone
  async function close(day: string) {
    const now = Date.now()
    if (day === '') return setProblem(words.missing)
    if (day > dayAfter(PLAN_NOTICE_MAX_DAYS, now)) return setProblem(words.tooLate)
    setBusy(true)
    try {
      const closed = await call(closePlan, { params: { plan_id: plan.id }, body: { ends_on: day } })
      await client.invalidateQueries({ queryKey: ownPlansQuery.queryKey })
      toast(words.done(lastDay(closed.ends_at ?? day)), 'success')
      onDone()
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      const why = failure.fields['ends_on']
      setProblem(why === 'too_small' ? tooEarly : `${words.failed}${errorText[failure.code]}`)
    } finally {
      setBusy(false)
    }
  }
  return { busy, problem, setProblem, close }
}
