// AudienceFields: whom a notice is for, and how it reaches them.
import { useQuery } from '@tanstack/react-query'
import { noticeAudiences } from '#contract/notices/notice-states.ts'
import { dateTime } from '#src/lib/format.ts'
import { Check } from '#src/ui/fields/check.tsx'
import { Field, TextInput } from '#src/ui/fields/field.tsx'
import { Select } from '#src/ui/fields/select.tsx'
import { builtAt, type NoticeForm, type Problems } from './notice-form.ts'
import { buildsQuery } from './notices.ts'
import { noticesText } from './text.ts'

const words = noticesText.fields

export interface FormPartProps {
  form: NoticeForm
  problems: Problems
  onChange: (change: Partial<NoticeForm>) => void
}

export function AudienceFields({ form, problems, onChange }: FormPartProps) {
  return (
    <>
      <Field label={words.audience}>
        <Select
          value={form.audience}
          options={noticeAudiences.map((value) => ({ value, label: noticesText.audiences[value] }))}
          onChange={({ target }) =>
            onChange({ audience: noticeAudiences.find((it) => it === target.value) ?? form.audience })
          }
        />
      </Field>
      {form.audience === 'members' && (
        <>
          <Field label={words.creator} hint={words.creatorHint} error={problems.creator}>
            <TextInput
              value={form.creator}
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
              onChange={({ target }) => onChange({ creator: target.value })}
            />
          </Field>
          <Field label={words.plan} optional={words.optional} hint={words.planHint} error={problems.plan}>
            <TextInput
              value={form.plan}
              autoCapitalize="none"
              spellCheck={false}
              onChange={({ target }) => onChange({ plan: target.value })}
            />
          </Field>
        </>
      )}
      {form.audience === 'build' && <BuildFields form={form} problems={problems} onChange={onChange} />}
      <fieldset className="flex flex-col">
        <legend className="pb-1 text-sm font-semibold">{words.channels}</legend>
        <p className="pb-1 text-sm text-soft">{words.channelsHint}</p>
        <Check label={words.pushes} checked={form.pushes} onChange={(pushes) => onChange({ pushes })} />
        <Check label={words.mails} checked={form.mails} onChange={(mails) => onChange({ mails })} />
        <Check
          label={words.advertising}
          hint={words.advertisingHint}
          checked={form.advertising}
          onChange={(advertising) => onChange({ advertising })}
        />
      </fieldset>
    </>
  )
}

function BuildFields({ form, problems, onChange }: FormPartProps) {
  const builds = useQuery(buildsQuery).data?.builds ?? []
  const known = builds.map(({ build, people }) => ({
    value: build,
    label: words.buildName(dateTime(builtAt(build)), people),
  }))
  // The build of a stored notice that no device uses any more.
  const lost = form.build !== '' && !builds.some((it) => it.build === form.build)
  const options = lost ? [...known, { value: form.build, label: dateTime(builtAt(form.build)) }] : known
  return (
    <>
      <Field label={words.build} error={problems.build}>
        <Select
          value={form.build}
          placeholder={words.noBuild}
          options={options}
          onChange={({ target }) => onChange({ build: target.value })}
        />
      </Field>
      <Field label={words.which}>
        <Select
          value={form.which}
          options={(['older', 'same'] as const).map((value) => ({ value, label: words[value] }))}
          onChange={({ target }) => onChange({ which: target.value === 'same' ? 'same' : 'older' })}
        />
      </Field>
    </>
  )
}
