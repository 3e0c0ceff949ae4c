// useOpenings: asks before an offer opens further plans to members.
import { useState, type ReactNode } from 'react'
import type { ReplyOf } from '#contract/endpoint.ts'
import { listPlanOpenings, type PlanView } from '#contract/plans/plans.ts'
import { call } from '#src/domain/api/api.ts'
import { AlertDialog } from '#src/ui/overlays/alert-dialog.tsx'
import { planText } from './text.ts'

const words = planText.openings

/** An offer before it is saved. */
interface Offer {
  readonly id: string
  readonly name: string
  readonly price: number
  readonly opens_cheaper: boolean
}

interface Question {
  readonly offer: Offer
  readonly openings: ReplyOf<typeof listPlanOpenings>['openings']
  readonly answer: (goesOn: boolean) => void
}

/** @param action the label of the button that saves */
export function useOpenings(action: string): {
  /** Whether to save: the creator has confirmed it, or it opens nothing. */
  confirm: (offer: Offer) => Promise<boolean>
  dialog: ReactNode
} {
  const [question, setQuestion] = useState<Question>()
  const [open, setOpen] = useState(false)

  async function confirm(offer: Offer): Promise<boolean> {
    const { id, price, opens_cheaper: opensCheaper } = offer
    const query = {
      plan_id: id,
      price: String(price),
      opens_cheaper: opensCheaper ? 'true' : 'false',
    } as const
    const { openings } = await call(listPlanOpenings, { query })
    if (openings.length === 0) return true
    return new Promise((answer) => {
      setQuestion({ offer, openings, answer })
      setOpen(true)
    })
  }

  function close(goesOn: boolean): void {
    setOpen(false)
    question?.answer(goesOn)
  }

  const dialog = (
    <AlertDialog
      open={open}
      onOpenChange={(next) => !next && close(false)}
      title={words.title}
      // The question keeps its words while it closes.
      description={question && <Sentences {...question} />}
      cancel={words.back}
      action={{ label: action, onSelect: () => close(true) }}
    />
  )
  return { confirm, dialog }
}

function Sentences({ offer, openings }: Question) {
  const nameOf = (plan: PlanView) => (plan.id === offer.id ? offer.name : plan.name)
  return (
    <>
      <ul className="space-y-1 text-ink">
        {openings.map(({ plan, opened, members }) => (
          <li key={`${plan.id} ${opened.id}`}>{words.opens(nameOf(plan), members, nameOf(opened))}</li>
        ))}
      </ul>
      <p className="mt-3 text-sm">{words.later}</p>
    </>
  )
}
