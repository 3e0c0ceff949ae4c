// NameStep: name and reading, which a reviewer compares with the document.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { legalNameBody, type OwnInfo, setLegalName } from '#contract/accounts/settings.ts'
import { confirmName } from '#device/jobs/identity.ts'
import { call } from '#src/domain/api/api.ts'
import { FormField, useSchemaForm } from '#src/domain/forms/form.tsx'
import { identityText } from '#src/domain/identity/text.ts'
import { text } from '#src/domain/text/text.ts'
import { date } from '#src/lib/format.ts'
import { Button } from '#src/ui/button.tsx'
import { Form } from '#src/ui/fields/form.tsx'
import { TextField } from '#src/ui/fields/text-field.tsx'
import { Skeleton } from '#src/ui/states/skeleton.tsx'
import { ownFactsQuery } from './identity-query.ts'
import { Problem } from './notes.tsx'

const words = identityText.name

interface NameStepProps {
  ownerId: string
  onNext: () => void
}

export function NameStep({ ownerId, onNext }: NameStepProps) {
  const { data, isError, refetch } = useQuery(ownFactsQuery)
  if (data) return <NameForm ownerId={ownerId} info={data} onNext={onNext} />
  if (!isError) return <Skeleton className="h-60" />
  return (
    <div className="flex flex-col gap-4">
      <Problem sentence={words.unread} />
      <Button look="ink" wide onClick={() => void refetch()}>
        {identityText.tryAgain}
      </Button>
    </div>
  )
}

function NameForm({ ownerId, info, onNext }: NameStepProps & { info: OwnInfo }) {
  const client = useQueryClient()
  const { legal_name, legal_name_kana } = info
  const form = useSchemaForm({
    schema: legalNameBody,
    defaults: { legal_name, legal_name_kana },
    note: 'identity-name',
    submit: async (body) => {
      const isStored = body.legal_name === legal_name && body.legal_name_kana === legal_name_kana
      if (!isStored) client.setQueryData(ownFactsQuery.queryKey, await call(setLegalName, { body }))
      await confirmName(ownerId, Date.now())
      onNext()
    },
  })
  return (
    <div className="flex flex-col gap-5">
      <p className="text-read">{words.about}</p>
      <Form {...form.shell} action={identityText.next} busyLabel={text.working}>
        <FormField of={form} name="legal_name">
          {({ error, input }) => (
            <TextField
              {...input}
              label={words.legalName}
              hint={words.legalNameHint}
              error={error}
              autoComplete="name"
            />
          )}
        </FormField>
        <FormField of={form} name="legal_name_kana">
          {({ error, input }) => (
            <TextField {...input} label={words.kana} hint={words.kanaHint} error={error} autoComplete="off" />
          )}
        </FormField>
        <div className="flex flex-col gap-1">
          <p className="text-sm font-semibold">{words.birth}</p>
          <p className="tabular-nums">{birthDay(info)}</p>
          <p className="text-sm text-soft">
            {words.birthHint}
            <Link to="/user/info" className="inline-block underline underline-offset-4">
              {words.toInfo}
            </Link>
          </p>
        </div>
      </Form>
    </div>
  )
}

export const birthDay = ({ birth_date: day }: Pick<OwnInfo, 'birth_date'>): string =>
  date(Date.parse(`${day}T00:00+09:00`))
