// AudienceRow: the post's audience: everyone, members of plans, or buyers.
import { publishText } from '#src/features/publish/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Users } from 'lucide-react'
import { type Ref, useRef, useState } from 'react'
import { listOwnPlans, type PlanView } from '#contract/plans/plans.ts'
import type { PostType } from '#contract/posts/posts.ts'
import { typedPrice } from '#contract/posts/price.ts'
import { choosablePlans } from '#src/domain/plans/choosable.ts'
import { NewAccountNote } from '#src/domain/posts/new-account-note.tsx'
import { priceProblemText } from '#src/domain/posts/price-text.ts'
import type { Draft } from '#device/database/schema.ts'
import { yen } from '#src/lib/format.ts'
import { IdentityNote } from '#src/domain/identity/identity-note.tsx'
import { queryFor } from '#src/domain/queries/query.ts'
import { Button, buttonClass } from '#src/ui/button.tsx'
import { Check } from '#src/ui/fields/check.tsx'
import { Field, FieldNotes, TextInput } from '#src/ui/fields/field.tsx'
import { RadioCards } from '#src/ui/fields/radio-cards.tsx'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import { audienceProblems, type DraftProblems } from './rules.ts'
import { SettingRow } from './setting-row.tsx'
import { text } from '#src/domain/text/text.ts'

type Audience = Pick<Draft, 'type' | 'planIds' | 'price'>

interface AudienceRowProps {
  draft: Audience
  problems: DraftProblems
  onChange: (change: Partial<Audience>) => void
}

const words = publishText
const types = { everyone: 1, plan: 2, paid: 3 } as const
type Choice = keyof typeof types

const choiceOf = (type: PostType): Choice => (type === 1 ? 'everyone' : type === 2 ? 'plan' : 'paid')

export function AudienceRow({ draft, problems, onChange }: AudienceRowProps) {
  const [open, setOpen] = useState(false)
  const plans = choosablePlans(useQuery(queryFor(listOwnPlans, {})).data?.plans, draft.planIds)
  // No error is shown while the sheet is filled in for the first time.
  const [checked, setChecked] = useState(false)
  const price = useRef<HTMLInputElement>(null)
  const own = audienceProblems(draft)
  const shown = checked ? own : problems
  const problem = shown.plans ? words.choosePlansFirst : shown.price && priceProblemText[shown.price]
  function decide() {
    setChecked(true)
    if (Object.keys(own).length === 0) setOpen(false)
    else price.current?.focus()
  }
  return (
    <>
      <SettingRow
        icon={<Users aria-hidden size={22} />}
        label={words.audience}
        value={valueOf(draft, plans ?? [])}
        onOpen={() => setOpen(true)}
      >
        {problem && <FieldNotes id={undefined} error={problem} />}
      </SettingRow>
      {draft.type !== 1 && !open && <IdentityNote />}
      <Sheet
        open={open}
        onOpenChange={(next) => {
          setOpen(next)
          if (!next) setChecked(true)
        }}
        title={words.audience}
        closeLabel={text.close}
        footer={
          <Button wide onClick={decide}>
            {words.decide}
          </Button>
        }
      >
        <Choices
          draft={draft}
          plans={plans}
          problems={shown}
          priceRef={price}
          onChecked={() => setChecked(true)}
          onChange={onChange}
        />
      </Sheet>
    </>
  )
}

function valueOf(draft: Audience, plans: readonly PlanView[]): string {
  switch (draft.type) {
    case 1:
      return words.everyone
    case 2: {
      const names = plans.filter((it) => draft.planIds.includes(it.id)).map((it) => it.name)
      return names.length > 0 ? `${words.plan}（${names.join('、')}）` : words.plan
    }
    case 3: {
      const price = typedPrice(draft.price)
      return 'problem' in price ? words.paid : `${words.paid}（${yen(price.yen)}）`
    }
    default:
      return draft.type satisfies never
  }
}

interface ChoicesProps extends AudienceRowProps {
  /** Undefined while they are read. */
  plans: readonly PlanView[] | undefined
  priceRef: Ref<HTMLInputElement>
  /** Called when the price field is left, so that its error is shown. */
  onChecked: () => void
}

function Choices({ draft, plans, problems, priceRef, onChecked, onChange }: ChoicesProps) {
  const noPlan = plans !== undefined && plans.length === 0
  return (
    <>
      <RadioCards<Choice>
        label={words.audience}
        value={choiceOf(draft.type)}
        onChange={(choice) => onChange({ type: types[choice] })}
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
      {draft.type !== 1 && <IdentityNote />}
      {draft.type === 2 && (
        <Plans draft={draft} plans={plans ?? []} problems={problems} onChange={onChange} />
      )}
      {draft.type === 3 && (
        <Price
          draft={draft}
          problems={problems}
          priceRef={priceRef}
          onChecked={onChecked}
          onChange={onChange}
        />
      )}
    </>
  )
}

function Plans({ draft, plans, problems, onChange }: AudienceRowProps & { plans: readonly PlanView[] }) {
  return (
    <fieldset className="mt-5">
      <legend className="text-sm font-semibold">{words.choosePlans}</legend>
      {plans.map((plan) => (
        <Check
          key={plan.id}
          label={plan.name}
          aside={
            <span className="shrink-0 text-soft tabular-nums">
              {yen(plan.price)}
              {words.aMonth}
            </span>
          }
          checked={draft.planIds.includes(plan.id)}
          onChange={(checked) =>
            onChange({
              planIds: checked ? [...draft.planIds, plan.id] : draft.planIds.filter((it) => it !== plan.id),
            })
          }
        />
      ))}
      <div role="alert">{problems.plans && <FieldNotes id={undefined} error={words.choosePlansFirst} />}</div>
    </fieldset>
  )
}

function Price({ draft, problems, priceRef, onChecked, onChange }: Omit<ChoicesProps, 'plans'>) {
  return (
    <Field
      label={words.price}
      hint={words.priceHint}
      error={problems.price && priceProblemText[problems.price]}
      className="mt-5"
    >
      <div className="flex items-center gap-2">
        <TextInput
          ref={priceRef}
          inputMode="numeric"
          autoComplete="off"
          value={draft.price}
          onChange={(event) => onChange({ price: event.target.value })}
          onBlur={() => draft.price !== '' && onChecked()}
          className="text-right tabular-nums"
        />
        <span className="shrink-0">{words.yen}</span>
      </div>
      <NewAccountNote price={draft.price} act="購入" />
    </Field>
  )
}
