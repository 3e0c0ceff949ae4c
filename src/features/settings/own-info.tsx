// OwnInfo: the form of a person's account information.
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { MAX_NAME, MIN_AGE } from '#contract/limits.ts'
import { lengthOf } from '#contract/text/text-rule.ts'
import { changeOwnInfo, ownInfoBody } from '#contract/accounts/settings.ts'
import { call } from '#src/domain/api/api.ts'
import { FormField, useSchemaForm, type SchemaForm } from '#src/domain/forms/form.tsx'
import { date } from '#src/lib/format.ts'
import { viewer } from '#src/domain/session/session.ts'
import { text } from '#src/domain/text/text.ts'
import { sessionText } from '#src/domain/session/text.ts'
import { infoText as words } from './text.ts'
import { DateField } from '#src/ui/fields/date-field.tsx'
import { Field, TextInput } from '#src/ui/fields/field.tsx'
import { Form } from '#src/ui/fields/form.tsx'
import { TextField } from '#src/ui/fields/text-field.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { ownInfoQuery, refetchPosts } from './settings.ts'

const thisYear = new Date().getFullYear()

type Values = Record<'name' | 'legal_name' | 'legal_name_kana' | 'birth_date', string>

/** `emailLink` opens the change of the email address. */
export function OwnInfo({ emailLink }: { emailLink: ReactNode }) {
  const client = useQueryClient()
  const { data: info } = useSuspenseQuery(ownInfoQuery)
  const { name, legal_name, legal_name_kana, birth_date } = info
  const form = useSchemaForm({
    schema: ownInfoBody,
    defaults: { name, legal_name, legal_name_kana, birth_date },
    note: 'own-info',
    submit: async (body) => {
      client.setQueryData(ownInfoQuery.queryKey, await call(changeOwnInfo, { body }))
      toast(words.saved, 'success')
      // The name is also shown in menus and on posts.
      await Promise.all([viewer.refreshNow(), refetchPosts(client)])
    },
  })
  return (
    <div className="px-4 pt-5 pb-16">
      <Form {...form.shell} action={words.save} busyLabel={text.working}>
        <Heading>{words.public}</Heading>
        <PublicName form={form} />
        <Heading>{words.private}</Heading>
        <LegalNames form={form} />
        {info.identified ? (
          <ReadOnly label={words.birth} note={words.birthLocked}>
            {date(Date.parse(`${birth_date}T00:00+09:00`))}
          </ReadOnly>
        ) : (
          <Birth form={form} />
        )}
        <ReadOnly label={words.email} note={emailLink}>
          {info.email}
        </ReadOnly>
      </Form>
    </div>
  )
}

function Heading({ children }: { children: string }) {
  return <h2 className="mt-2 border-b border-line pb-1 text-sm font-semibold text-soft">{children}</h2>
}

/** A value that is changed on another page. */
function ReadOnly({ label, note, children }: { label: string; note: ReactNode; children: string }) {
  return (
    <div className="flex flex-col gap-1">
      <p className="text-sm font-semibold">{label}</p>
      <p className="break-all tabular-nums">{children}</p>
      {note && <div className="text-sm text-soft">{note}</div>}
    </div>
  )
}

function PublicName({ form }: { form: SchemaForm<Values> }) {
  return (
    <FormField of={form} name="name">
      {({ value, error, input }) => (
        <Field
          label={words.name}
          hint={words.nameHint}
          error={error}
          count={{ now: lengthOf(value, MAX_NAME), max: MAX_NAME }}
        >
          <TextInput {...input} autoComplete="nickname" />
        </Field>
      )}
    </FormField>
  )
}

function LegalNames({ form }: { form: SchemaForm<Values> }) {
  return (
    <>
      <FormField of={form} name="legal_name">
        {({ error, input }) => (
          <TextField
            {...input}
            label={words.legalName}
            optional={words.optional}
            hint={words.legalNameHint}
            error={error}
            autoComplete="name"
          />
        )}
      </FormField>
      <FormField of={form} name="legal_name_kana">
        {({ error, input }) => (
          <TextField
            {...input}
            label={words.legalNameKana}
            optional={words.optional}
            hint={words.legalNameKanaHint}
            error={error}
            autoComplete="off"
          />
        )}
      </FormField>
    </>
  )
}

function Birth({ form }: { form: SchemaForm<Values> }) {
  return (
    <FormField of={form} name="birth_date">
      {({ value, error, onChange, onBlur }) => (
        <DateField
          label={words.birth}
          hint={words.birthHint}
          error={error}
          value={value}
          onChange={onChange}
          onBlur={onBlur}
          years={{ from: thisYear - 110, to: thisYear - MIN_AGE }}
          words={{ year: sessionText.year, month: sessionText.month, day: sessionText.day }}
          autoComplete="bday"
        />
      )}
    </FormField>
  )
}
