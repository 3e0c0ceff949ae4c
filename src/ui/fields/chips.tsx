// Chips: one of a few short choices, side by side.
import { Radio } from '@base-ui/react/radio'
import { RadioGroup } from '@base-ui/react/radio-group'
import { useId } from 'react'

interface ChipsProps<Value extends string> {
  label: string
  value: Value
  onChange: (value: Value) => void
  chips: readonly { value: Value; label: string }[]
}

export function Chips<Value extends string>({ label, value, onChange, chips }: ChipsProps<Value>) {
  const id = useId()
  return (
    <div className="flex flex-col gap-2">
      <span id={id} className="text-sm font-semibold">
        {label}
      </span>
      <RadioGroup
        aria-labelledby={id}
        value={value}
        onValueChange={(next) => {
          const chip = chips.find((it) => it.value === next)
          if (chip) onChange(chip.value)
        }}
        className="flex flex-wrap gap-2"
      >
        {chips.map((chip) => (
          <Radio.Root
            key={chip.value}
            value={chip.value}
            nativeButton
            render={<button type="button" />}
            className="min-h-11 rounded-pill border border-edge px-4 text-sm transition-colors hover:border-ink data-checked:border-ink data-checked:bg-ink data-checked:font-semibold data-checked:text-paper forced-colors:data-checked:forced-color-adjust-none forced-colors:data-checked:bg-[Highlight] forced-colors:data-checked:text-[HighlightText]"
          >
            {chip.label}
          </Radio.Root>
        ))}
      </RadioGroup>
    </div>
  )
}
