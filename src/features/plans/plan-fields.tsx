// PlanFields: the fields of the form of a plan.
import { MAX_NAME, MAX_PLAN_TEXT, MAX_THANKS } from '#contract/limits.ts'
import { typedPrice } from '#contract/posts/price.ts'
import { lengthOf } from '#contract/text/text-rule.ts'
import { FormField, type SchemaForm } from '#src/domain/forms/form.tsx'
import { NewAccountNote } from '#src/domain/posts/new-account-note.tsx'
import { priceProblemText } from '#src/domain/posts/price-text.ts'
import { Field, TextArea, TextInput } from '#src/ui/fields/field.tsx'
import { RadioCards } from '#src/ui/fields/radio-cards.tsx'
import { Switch } from '#src/ui/fields/switch.tsx'
import type { PlanValues } from './plans.ts'
import { planText } from './text.ts'

const words = planText.form
type Form = SchemaForm<PlanValues>

interface PlanFieldsProps {
  form: Form
  /** Whether the plan has members, whose price does not change. */
  hasMembers: boolean
}

export function PlanFields({ form, hasMembers }: PlanFieldsProps) {
  return (
    <>
      <FormField of={form} name="name">
        {({ value, error, input }) => (
          <Field label={words.name} error={error} count={{ now: lengthOf(value, MAX_NAME), max: MAX_NAME }}>
            <TextInput {...input} autoComplete="off" />
          </Field>
        )}
      </FormField>
      <PriceField form={form} hint={hasMembers ? words.priceChange : words.priceHint} />
      <LongText form={form} name="description" max={MAX_PLAN_TEXT} hint={words.descriptionHint} />
      <BackNumbersField form={form} />
      <Choice form={form} name="opens_cheaper" label={words.opensCheaper} hint={words.opensCheaperHint} />
      <LimitField form={form} />
      <Choice
        form={form}
        name="accepts_members"
        label={words.acceptsMembers}
        hint={words.acceptsMembersHint}
      />
      <LongText form={form} name="thanks" max={MAX_THANKS} hint={words.thanksHint} isOptional />
    </>
  )
}

function PriceField({ form, hint }: { form: Form; hint: string }) {
  return (
    <FormField of={form} name="price">
      {({ value, error, input }) => (
        <Field label={words.price} hint={hint} error={error && (priceProblem(value) ?? error)}>
          <div className="flex items-center gap-2">
            <TextInput
              {...input}
              inputMode="numeric"
              autoComplete="off"
              className="max-w-48 text-right tabular-nums"
            />
            <span className="shrink-0">{words.yen}</span>
          </div>
          <NewAccountNote price={value} act="加入" />
        </Field>
      )}
    </FormField>
  )
}

function priceProblem(typed: string): string | undefined {
  const read = typedPrice(typed)
  return 'problem' in read ? priceProblemText[read.problem] : undefined
}

interface LongTextProps {
  form: Form
  name: 'description' | 'thanks'
  max: number
  hint: string
  isOptional?: boolean
}

function LongText({ form, name, max, hint, isOptional = false }: LongTextProps) {
  return (
    <FormField of={form} name={name}>
      {({ value, error, input, onChange }) => (
        <Field
          label={words[name]}
          hint={hint}
          optional={isOptional ? words.optional : undefined}
          error={error}
          count={{ now: lengthOf(value, max), max }}
        >
          <TextArea
            name={input.name}
            value={value}
            onBlur={input.onBlur}
            onChange={(event) => onChange(event.target.value)}
          />
        </Field>
      )}
    </FormField>
  )
}

function LimitField({ form }: { form: Form }) {
  return (
    <FormField of={form} name="member_limit">
      {({ error, input }) => (
        <Field
          label={words.limit}
          optional={words.optional}
          hint={words.limitHint}
          error={error && words.limitProblem}
        >
          <div className="flex items-center gap-2">
            <TextInput
              {...input}
              inputMode="numeric"
              autoComplete="off"
              className="max-w-48 text-right tabular-nums"
            />
            <span className="shrink-0">{words.people}</span>
          </div>
        </Field>
      )}
    </FormField>
  )
}

function BackNumbersField({ form }: { form: Form }) {
  const choices = words.backNumberChoices
  return (
    <FormField of={form} name="back_numbers">
      {({ value, onChange }) => (
        <fieldset>
          <legend className="mb-1.5 text-sm font-semibold">{words.backNumbers}</legend>
          <RadioCards
            label={words.backNumbers}
            value={value}
            onChange={onChange}
            cards={[
              { value: 'all', ...choices.all },
              { value: 'since_joining', ...choices.since_joining },
            ]}
          />
        </fieldset>
      )}
    </FormField>
  )
}

interface ChoiceProps {
  form: Form
  name: 'opens_cheaper' | 'accepts_members'
  label: string
  hint: string
}

function Choice({ form, name, label, hint }: ChoiceProps) {
  return (
    <FormField of={form} name={name}>
      {({ value, onChange }) => <Switch label={label} hint={hint} checked={value} onChange={onChange} />}
    </FormField>
  )
}
