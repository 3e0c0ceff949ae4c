// RadioCards: one of a few choices, each with a hint.
import { Radio } from '@base-ui/react/radio'
import { RadioGroup } from '@base-ui/react/radio-group'
import { useId, type ReactNode } from 'react'
import { cx } from '#src/ui/cx.ts'

export interface RadioCard<Value extends string> {
  value: Value
  label: string
  hint?: string
  icon?: ReactNode
  disabled?: boolean
}

interface RadioCardsProps<Value extends string> {
  label: string
  value: Value
  onChange: (value: Value) => void
  cards: readonly RadioCard<Value>[]
}

export function RadioCards<Value extends string>({ label, value, onChange, cards }: RadioCardsProps<Value>) {
  return (
    <RadioGroup
      aria-label={label}
      value={value}
      onValueChange={(next) => {
        const card = cards.find((it) => it.value === next)
        if (card) onChange(card.value)
      }}
      className="flex flex-col gap-2"
    >
      {cards.map((card) => (
        <Card key={card.value} card={card} />
      ))}
    </RadioGroup>
  )
}

function Card<Value extends string>({ card }: { card: RadioCard<Value> }) {
  const id = useId()
  return (
    <label
      className={cx(
        'flex min-h-14 items-center gap-3 rounded-media border border-edge bg-raised px-4 py-3 transition-colors hover:border-ink',
        'has-data-checked:border-ink has-data-checked:outline-1 has-data-checked:-outline-offset-2 has-data-checked:outline-ink',
        'has-data-disabled:cursor-not-allowed has-data-disabled:border-line has-data-disabled:bg-sunk',
      )}
    >
      {card.icon && <span className="text-soft">{card.icon}</span>}
      <span className="min-w-0 flex-1">
        <span id={id} className={cx('block font-semibold', card.disabled && 'text-soft')}>
          {card.label}
        </span>
        {card.hint && (
          <span id={`${id}-hint`} className="block text-sm text-soft">
            {card.hint}
          </span>
        )}
      </span>
      <Radio.Root
        value={card.value}
        disabled={card.disabled ?? false}
        aria-labelledby={id}
        aria-describedby={card.hint ? `${id}-hint` : undefined}
        className="grid size-6 shrink-0 place-items-center rounded-pill border border-edge bg-raised data-checked:border-ink data-disabled:border-line"
      >
        <Radio.Indicator className="marked-part size-3 rounded-pill bg-ink" />
      </Radio.Root>
    </label>
  )
}
