// EditForm: edits name, handle, text and links of the own profile.
import { useQueryClient } from '@tanstack/react-query'
import { useStore } from '@tanstack/react-form'
import { useState } from 'react'
import * as v from 'valibot'
import { MAX_BIO, MAX_LINKS, MAX_NAME } from '#contract/limits.ts'
import { changeProfile, profileFields, type ProfileView } from '#contract/people/people.ts'
import { orBlank, protocolUrl } from '#contract/rules.ts'
import { lengthOf } from '#contract/text/text-rule.ts'
import { call } from '#src/domain/api/api.ts'
import { useNavigateIfShown } from '#src/lib/use-navigate-if-shown.ts'
import { FormField, type SchemaForm, useSchemaForm } from '#src/domain/forms/form.tsx'
import { viewer } from '#src/domain/session/session.ts'
import { text } from '#src/domain/text/text.ts'
import { profileFormText as words } from '#src/domain/people/text.ts'
import { Button } from '#src/ui/button.tsx'
import { Field, TextArea, TextInput } from '#src/ui/fields/field.tsx'
import { Form } from '#src/ui/fields/form.tsx'
import { TextField } from '#src/ui/fields/text-field.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { HandleField } from './handle-field.tsx'
import { profileQuery } from './profiles.ts'

const link = orBlank(protocolUrl)
const linkNames = ['link1', 'link2', 'link3', 'link4', 'link5'] as const
const schema = v.object({
  ...profileFields,
  link1: link,
  link2: link,
  link3: link,
  link4: link,
  link5: link,
})

type Values = Record<'name' | 'handle' | 'bio' | (typeof linkNames)[number], string>

function valuesOf({ name, handle, bio, links }: ProfileView): Values {
  const [link1 = '', link2 = '', link3 = '', link4 = '', link5 = ''] = links
  return { name, handle: handle ?? '', bio, link1, link2, link3, link4, link5 }
}

interface EditFormProps {
  profile: ProfileView
  onSaved: () => void
}

export function EditForm({ profile, onSaved }: EditFormProps) {
  const client = useQueryClient()
  const ifShown = useNavigateIfShown()
  const form = useSchemaForm({
    schema,
    defaults: valuesOf(profile),
    note: 'profile',
    submit: async ({ name, handle, bio, ...links }) => {
      const proceed = ifShown(onSaved)
      const given = linkNames.map((it) => links[it]).filter((it) => it !== '')
      const changed = await call(changeProfile, { body: { name, handle, bio, links: [...new Set(given)] } })
      client.setQueryData(profileQuery(profile.id).queryKey, changed)
      toast(words.saved, 'success')
      proceed()
      // The name is in menus and on posts too: they are read again while the next page opens.
      void viewer.refreshNow()
      void client.invalidateQueries()
    },
  })
  return (
    <div className="px-4 pt-5 pb-16 rail:px-6">
      <Form {...form.shell} action={words.save} busyLabel={text.working}>
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
        <HandleField form={form} own={profile.handle} />
        <FormField of={form} name="bio">
          {({ value, error, input, onChange }) => (
            <Field
              label={words.bio}
              hint={words.bioHint}
              error={error}
              count={{ now: lengthOf(value, MAX_BIO), max: MAX_BIO }}
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
        <Links form={form} />
      </Form>
    </div>
  )
}

/** The used fields, and one more after 追加. */
function Links({ form }: { form: SchemaForm<Values> }) {
  const [wanted, setWanted] = useState(1)
  const filled = useStore(
    form.api.store,
    ({ values }) => linkNames.findLastIndex((it) => values[it] !== '') + 1,
  )
  const shown = Math.max(wanted, filled)
  return (
    <fieldset className="flex flex-col gap-4">
      {linkNames.slice(0, shown).map((name, i) => (
        <FormField key={name} of={form} name={name}>
          {({ error, input }) => (
            <TextField
              {...input}
              label={words.link(i + 1)}
              optional={words.optional}
              hint={i === 0 ? words.linksHint : undefined}
              error={error}
              type="url"
              inputMode="url"
              autoComplete="url"
            />
          )}
        </FormField>
      ))}
      {shown < MAX_LINKS && (
        <Button look="quiet" size="small" className="self-start" onClick={() => setWanted(shown + 1)}>
          {words.addLink}
        </Button>
      )}
    </fieldset>
  )
}
