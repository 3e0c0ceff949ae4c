// LimitsForm: limits with their bounds and defaults.
import { useState } from 'react'
import type { LimitName } from '#contract/administration/runtime-names.ts'
import type { LimitView, SettingChange } from '#contract/administration/runtime-settings.ts'
import { text } from '#src/domain/text/text.ts'
import { number } from '#src/lib/format.ts'
import { Button } from '#src/ui/button.tsx'
import { Field, TextInput } from '#src/ui/fields/field.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { Part } from '#src/features/administration/part.tsx'
import type { Problems, SettingActs } from './settings.ts'
import { settingsText } from './text.ts'

const words = settingsText.limits

const typedOf = ({ value }: LimitView): string => (value === null ? '' : String(value))

/** The number of a field; null for an empty one, NaN for another text. */
const numberOf = (typed: string): number | null => {
  const trimmed = typed.normalize('NFKC').replaceAll(',', '').trim()
  if (trimmed === '') return null
  return /^\d{1,9}$/.test(trimmed) ? Number(trimmed) : Number.NaN
}

const hintOf = ({ least, most, usual }: LimitView): string =>
  words.hint(number(least), number(most), usual === null ? words.noUsual : number(usual))

export function LimitsForm({ limits, acts }: { limits: readonly LimitView[]; acts: SettingActs }) {
  const [typed, setTyped] = useState<Partial<Record<LimitName, string>>>({})
  const [problems, setProblems] = useState<Problems>({})
  async function save() {
    const changed = limits.flatMap((it) => {
      const value = numberOf(typed[it.name] ?? typedOf(it))
      return value === it.value ? [] : [[it.name, value] as const]
    })
    const wrong = changed.filter(([, value]) => Number.isNaN(value)).map(([name]) => [name, words.number])
    setProblems(Object.fromEntries(wrong))
    if (wrong.length > 0) return
    if (changed.length === 0) return toast(settingsText.unchanged)
    const body: SettingChange = Object.fromEntries(changed)
    const result = await acts.change('limits', body)
    if (result.is === 'kept') setProblems(result.problems)
  }
  return (
    <Part title={words.title} lead={words.lead}>
      <div className="grid gap-4 rail:grid-cols-2">
        {limits.map((it) => (
          <Field key={it.name} label={words.names[it.name]} hint={hintOf(it)} error={problems[it.name]}>
            <TextInput
              inputMode="numeric"
              value={typed[it.name] ?? typedOf(it)}
              placeholder={it.usual === null ? '' : String(it.usual)}
              onChange={({ target }) => setTyped({ ...typed, [it.name]: target.value })}
            />
          </Field>
        ))}
      </div>
      <Button
        className="mt-4"
        busy={acts.busy === 'limits'}
        busyLabel={text.working}
        onClick={() => void save()}
      >
        {settingsText.save}
      </Button>
    </Part>
  )
}
