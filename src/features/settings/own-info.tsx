// OwnInfo: the form of what a person tells of themselves.
import { useForm } from '@tanstack/react-form'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { MAX_NAME, MIN_AGE } from '#contract/limits.ts'
import { changeOwnInfo, ownInfoBody, type OwnInfo as Info } from '#contract/settings.ts'
import { call } from '#src/lib/api.ts'
import { date } from '#src/lib/format.ts'
import { errorOf, inputOf, submit, useRefusal } from '#src/lib/form.ts'
import { viewer } from '#src/lib/session.ts'
import { text } from '#src/lib/text.ts'
import { sessionText } from '#src/lib/text-session.ts'
import { infoText } from '#src/lib/text-settings.ts'
import { Banner } from '#src/ui/banner.tsx'
import { Button } from '#src/ui/button.tsx'
import { DateField } from '#src/ui/date-field.tsx'
import { Field, TextInput } from '#src/ui/field.tsx'
import { toast } from '#src/ui/toast.ts'
import { ownInfoQuery } from './settings.ts'

const words = infoText
const thisYear = new Date().getFullYear()
const graphemes = new Intl.Segmenter('ja')
const length = (it: string) => [...graphemes.segment(it)].length

const valuesOf = ({ name, legal_name, legal_name_kana, birth_date }: Info) => ({
  name,
  legal_name,
  legal_name_kana,
  birth_date,
})

function useOwnInfo(info: Info) {
  const client = useQueryClient()
  const refusal = useRefusal()
  const form = useForm({
    defaultValues: valuesOf(info),
    validators: { onChange: ownInfoBody },
    onSubmit: async ({ value }) => {
      refusal.clear()
      try {
        const saved = await call(changeOwnInfo, { body: value })
        client.setQueryData(ownInfoQuery.queryKey, saved)
        form.reset(valuesOf(saved))
        toast(words.saved, 'success')
        // The name stands in menus and on posts too.
        void viewer.refresh()
      } catch (failure) {
        refusal.take(failure)
      }
    },
  })
  return { form, refusal }
}

type Parts = ReturnType<typeof useOwnInfo>

/** `emailLink` leads to where the address is changed. */
export function OwnInfo({ emailLink }: { emailLink: ReactNode }) {
  const { data: info } = useSuspenseQuery(ownInfoQuery)
  const it = useOwnInfo(info)
  const { form, refusal } = it
  return (
    <form
      noValidate
      className="flex flex-col gap-5 px-4 pt-5 pb-16"
      onSubmit={(event) => {
        event.preventDefault()
        void submit(form, event.currentTarget)
      }}
    >
      {refusal.whole && <Banner look="error">{refusal.whole}</Banner>}
      <Heading>{words.public}</Heading>
      <form.Field name="name">
        {(field) => (
          <Field
            label={words.name}
            hint={words.nameHint}
            error={errorOf(field, refusal)}
            count={{ now: length(field.state.value), max: MAX_NAME }}
          >
            <TextInput {...inputOf(field, refusal)} autoComplete="nickname" />
          </Field>
        )}
      </form.Field>
      <Heading>{words.private}</Heading>
      <LegalNames {...it} />
      <Birth {...it} locked={info.identified} />
      <div className="flex flex-col gap-1.5">
        <p className="text-sm font-semibold">{words.email}</p>
        <p className="break-all">{info.email}</p>
        {emailLink}
      </div>
      <form.Subscribe selector={(state) => [state.isSubmitting, state.isDefaultValue] as const}>
        {([busy, same]) => (
          <Button type="submit" look="seal" wide busy={busy} busyLabel={text.working} disabled={same}>
            {same ? words.nothingNew : words.save}
          </Button>
        )}
      </form.Subscribe>
    </form>
  )
}

function Heading({ children }: { children: string }) {
  return <h2 className="mt-2 border-b border-line pb-1 text-sm font-semibold text-soft">{children}</h2>
}

function LegalNames({ form, refusal }: Parts) {
  return (
    <>
      <form.Field name="legal_name">
        {(field) => (
          <Field
            label={words.legalName}
            hint={words.legalNameHint}
            optional={words.optional}
            error={errorOf(field, refusal)}
          >
            <TextInput {...inputOf(field, refusal)} autoComplete="name" />
          </Field>
        )}
      </form.Field>
      <form.Field name="legal_name_kana">
        {(field) => (
          <Field
            label={words.legalNameKana}
            hint={words.legalNameKanaHint}
            optional={words.optional}
            error={errorOf(field, refusal)}
          >
            <TextInput {...inputOf(field, refusal)} autoComplete="off" />
          </Field>
        )}
      </form.Field>
    </>
  )
}

function Birth({ form, refusal, locked }: Parts & { locked: boolean }) {
  return (
    <form.Field name="birth_date">
      {(field) =>
        locked ? (
          <div className="flex flex-col gap-1.5">
            <p className="text-sm font-semibold">{words.birth}</p>
            <p className="tabular-nums">{date(Date.parse(`${field.state.value}T00:00+09:00`))}</p>
            <p className="text-sm text-soft">{words.birthLocked}</p>
          </div>
        ) : (
          <DateField
            label={words.birth}
            hint={words.birthHint}
            error={errorOf(field, refusal)}
            value={field.state.value}
            onBlur={field.handleBlur}
            onChange={(day) => {
              refusal.changed('birth_date')
              field.handleChange(day)
            }}
            years={{ from: thisYear - 110, to: thisYear - MIN_AGE }}
            words={{ year: sessionText.year, month: sessionText.month, day: sessionText.day }}
            autoComplete="bday"
          />
        )
      }
    </form.Field>
  )
}
