// BarForm: the text above every page, its link and its time.
import { type ComponentProps, useState } from 'react'
import { MAX_BAR } from '#contract/administration/runtime-names.ts'
import type { Bar } from '#contract/administration/runtime-settings.ts'
import { graphemesIn } from '#contract/text/graphemes.ts'
import { text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'
import { Field, TextInput } from '#src/ui/fields/field.tsx'
import { Part } from '#src/features/administration/part.tsx'
import { localTime, momentOf, type Problems, type SettingActs } from './settings.ts'
import { settingsText } from './text.ts'

const words = settingsText.bar
const DAY = 24 * 3600_000

interface BarFormProps {
  bar: Bar | null
  /** When the settings were read, ms. */
  readAt: number
  acts: SettingActs
}

interface Values {
  readonly text: string
  readonly link: string
  readonly from: string
  readonly until: string
}

const valuesOf = (bar: Bar | null, readAt: number): Values => ({
  text: bar?.text ?? '',
  link: bar?.link ?? '',
  from: localTime(bar ? Date.parse(bar.from) : readAt),
  until: localTime(bar ? Date.parse(bar.until) : readAt + DAY),
})

/** Times without a moment, found before anything is sent. */
const problemsOf = ({ from, until }: Values): Problems => ({
  ...(momentOf(from) === undefined && { 'bar.from': words.time }),
  ...(momentOf(until) === undefined && { 'bar.until': words.time }),
})

export function BarForm({ bar, readAt, acts }: BarFormProps) {
  const [values, setValues] = useState(() => valuesOf(bar, readAt))
  const [problems, setProblems] = useState<Problems>({})
  async function save() {
    const wrong = problemsOf(values)
    setProblems(wrong)
    const [from, until] = [momentOf(values.from), momentOf(values.until)]
    if (from === undefined || until === undefined) return
    if (from >= until) return setProblems({ 'bar.until': words.order })
    const link = values.link.trim() === '' ? null : values.link.trim()
    const result = await acts.change('bar', { bar: { text: values.text, link, from, until } })
    if (result.is === 'kept') setProblems(result.problems)
  }
  const field = (name: keyof Values) => ({
    value: values[name],
    onChange: ({ target }: { target: { value: string } }) => setValues({ ...values, [name]: target.value }),
  })
  return (
    <Part title={words.title} lead={words.lead}>
      <div className="flex max-w-120 flex-col gap-4">
        <Field
          label={words.text}
          error={problems['bar.text']}
          count={{ now: graphemesIn(values.text), max: MAX_BAR }}
        >
          <TextInput {...field('text')} />
        </Field>
        <Field
          label={words.link}
          optional={words.optional}
          hint={words.linkHint}
          error={problems['bar.link']}
        >
          <TextInput {...field('link')} inputMode="url" autoCapitalize="none" spellCheck={false} />
        </Field>
        <Times field={field} problems={problems} />
        <div className="flex flex-wrap gap-2">
          <Button busy={acts.busy === 'bar'} busyLabel={text.working} onClick={() => void save()}>
            {settingsText.save}
          </Button>
          {bar && (
            <Button
              look="danger"
              busy={acts.busy === 'no-bar'}
              busyLabel={text.working}
              onClick={() => void acts.change('no-bar', { bar: null })}
            >
              {words.end}
            </Button>
          )}
        </div>
      </div>
    </Part>
  )
}

interface TimesProps {
  field: (name: 'from' | 'until') => Pick<ComponentProps<'input'>, 'value' | 'onChange'>
  problems: Problems
}

function Times({ field, problems }: TimesProps) {
  return (
    <div className="grid gap-4 rail:grid-cols-2">
      <Field label={words.from} hint={words.times} error={problems['bar.from']}>
        <TextInput type="datetime-local" {...field('from')} />
      </Field>
      <Field label={words.until} error={problems['bar.until']}>
        <TextInput type="datetime-local" {...field('until')} />
      </Field>
    </div>
  )
}
