// AudienceSheet: changes who may see a post, and shows the effect for present viewers.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Audience } from '#contract/posts/own-posts.ts'
import { listOwnPlans, type PlanView } from '#contract/plans/plans.ts'
import type { PostView } from '#contract/posts/posts.ts'
import { typedPrice } from '#contract/posts/price.ts'
import { number, yen } from '#src/lib/format.ts'
import { IdentityNote } from '#src/domain/identity/identity-note.tsx'
import { choosablePlans } from '#src/domain/plans/choosable.ts'
import { queryFor } from '#src/domain/queries/query.ts'
import { postText as words } from './text.ts'
import { FILM_DECLARATION } from '#contract/posts/film-declaration.ts'
import { FilmDeclaration, filmDeclarationText } from '#src/domain/posts/film-declaration.tsx'
import { NewAccountNote } from '#src/domain/posts/new-account-note.tsx'
import { priceProblemText } from '#src/domain/posts/price-text.ts'
import { text } from '#src/domain/text/text.ts'
import { Button, buttonClass } from '#src/ui/button.tsx'
import { Check } from '#src/ui/fields/check.tsx'
import { Field, FieldNotes, TextInput } from '#src/ui/fields/field.tsx'
import { RadioCards } from '#src/ui/fields/radio-cards.tsx'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import { useChange } from './use-change.ts'

interface AudienceSheetProps {
  post: PostView
  open: boolean
  onOpenChange: (open: boolean) => void
}

type Choice = 'everyone' | 'plan' | 'paid'
const choices = { 1: 'everyone', 2: 'plan', 3: 'paid' } as const

interface Chosen {
  readonly choice: Choice
  readonly planIds: readonly string[]
  readonly price: string
}

/** The current audience of a post. */
function chosenOf({ type, access }: PostView): Chosen {
  const { plan_ids: planIds = [], price = null } = (access.is === 'full' && access.opens_with) || {}
  return { choice: choices[type], planIds, price: price === null ? '' : number(price) }
}

/** The choice as a request body, or its problem. */
function audienceOf({ choice, planIds, price }: Chosen): { audience: Audience } | { problem: string } {
  switch (choice) {
    case 'everyone':
      return { audience: { type: 1 } }
    case 'plan':
      return planIds.length > 0
        ? { audience: { type: 2, plan_ids: [...planIds] } }
        : { problem: words.choosePlansFirst }
    case 'paid': {
      const typed = typedPrice(price)
      if ('problem' in typed) return { problem: priceProblemText[typed.problem] }
      return { audience: { type: 3, price: typed.yen } }
    }
    default:
      return choice satisfies never
  }
}

/** An age-limited video that was not sold so far. */
const isOpenFilm = ({ type, is_age_limited: isAgeLimited, access }: PostView): boolean =>
  type === 1 && isAgeLimited && access.is === 'full' && access.media.some((it) => it.kind === 'video')

export function AudienceSheet({ post, open, onOpenChange }: AudienceSheetProps) {
  const [chosen, setChosen] = useState(() => chosenOf(post))
  const { planIds } = chosenOf(post)
  const [declared, setDeclared] = useState(false)
  const isFilm = chosen.choice !== 'everyone' && isOpenFilm(post)
  const plans = choosablePlans(useQuery(queryFor(listOwnPlans, {})).data?.plans, planIds)
  const { busy, problem, setProblem, change } = useChange(
    post.id,
    () => onOpenChange(false),
    ({ code, fields }) =>
      code === 'sold' ? words.soldToPlan : fields?.['film_declaration'] && filmDeclarationText.required,
  )
  function press() {
    const it = audienceOf(chosen)
    if ('problem' in it) setProblem(it.problem)
    else if (isFilm && !declared) setProblem(filmDeclarationText.required)
    else void change({ audience: it.audience, ...(isFilm && { film_declaration: FILM_DECLARATION }) })
  }
  return (
    <Sheet
      open={open}
      onOpenChange={(next) => !busy && onOpenChange(next)}
      title={words.audienceTitle}
      description={
        chosen.choice === 'everyone' ? words.buyersKeep : `${words.closesForOthers}${words.buyersKeep}`
      }
      closeLabel={text.close}
      footer={
        <Button wide busy={busy} busyLabel={text.working} onClick={press}>
          {words.save}
        </Button>
      }
    >
      <Choices
        chosen={chosen}
        plans={plans}
        problem={problem}
        onChange={(next) => {
          setChosen((before) => ({ ...before, ...next }))
          setProblem(undefined)
        }}
      />
      {isFilm && (
        <FilmDeclaration>
          <Check label={filmDeclarationText.check} checked={declared} onChange={setDeclared} />
        </FilmDeclaration>
      )}
    </Sheet>
  )
}

interface ChoicesProps {
  chosen: Chosen
  /** Undefined while they are read. */
  plans: readonly PlanView[] | undefined
  problem: string | undefined
  onChange: (change: Partial<Chosen>) => void
}

function Choices({ chosen, plans, problem, onChange }: ChoicesProps) {
  const noPlan = plans?.length === 0
  return (
    <>
      <RadioCards<Choice>
        label={words.audienceTitle}
        value={chosen.choice}
        onChange={(choice) => onChange({ choice })}
        cards={[
          { value: 'everyone', label: words.everyone, hint: words.everyoneHint },
          {
            value: 'plan',
            label: words.plan,
            hint: noPlan ? words.noPlan : words.planHint,
            disabled: noPlan,
          },
          { value: 'paid', label: words.paid, hint: words.paidHint },
        ]}
      />
      {noPlan && (
        <Link to="/plan/add" className={buttonClass('quiet', 'small')}>
          {words.createPlan}
        </Link>
      )}
      {chosen.choice !== 'everyone' && <IdentityNote />}
      {chosen.choice === 'plan' && <Plans chosen={chosen} plans={plans ?? []} onChange={onChange} />}
      {chosen.choice === 'paid' ? (
        <Field label={words.price} hint={words.priceHint} error={problem} className="mt-5">
          <div className="flex items-center gap-2">
            <TextInput
              inputMode="numeric"
              autoComplete="off"
              value={chosen.price}
              onChange={(event) => onChange({ price: event.target.value })}
              className="text-right tabular-nums"
            />
            <span className="shrink-0">{words.yen}</span>
          </div>
          <NewAccountNote price={chosen.price} act="購入" />
        </Field>
      ) : (
        <div role="alert" className="mt-3 empty:hidden">
          {problem && <FieldNotes id={undefined} error={problem} />}
        </div>
      )}
    </>
  )
}

function Plans({ chosen, plans, onChange }: Omit<ChoicesProps, 'problem'> & { plans: readonly PlanView[] }) {
  return (
    <fieldset className="mt-5">
      <legend className="text-sm font-semibold">{words.choosePlans}</legend>
      {plans.map(({ id, name, price }) => (
        <Check
          key={id}
          label={name}
          aside={
            <span className="shrink-0 text-soft tabular-nums">
              {yen(price)}
              {words.aMonth}
            </span>
          }
          checked={chosen.planIds.includes(id)}
          onChange={(checked) =>
            onChange({
              planIds: checked ? [...chosen.planIds, id] : chosen.planIds.filter((it) => it !== id),
            })
          }
        />
      ))}
    </fieldset>
  )
}
