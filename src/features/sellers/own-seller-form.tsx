// OwnSellerForm: stores the own data as a seller.
import { useQueryClient } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import {
  listSellerRequests,
  type OwnSeller,
  putOwnSeller,
  type SellerDisplay,
  sellerDisplays,
} from '#contract/sellers/own-seller.ts'
import { getSeller } from '#contract/sellers/sellers.ts'
import { call } from '#src/domain/api/api.ts'
import { FormField, type SchemaForm, useSchemaForm } from '#src/domain/forms/form.tsx'
import { queriesOf } from '#src/domain/queries/query.ts'
import { text } from '#src/domain/text/text.ts'
import { Form } from '#src/ui/fields/form.tsx'
import { RadioCards } from '#src/ui/fields/radio-cards.tsx'
import { TextField } from '#src/ui/fields/text-field.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { ownSellerForm, ownSellerQuery } from './sellers.ts'
import { ownSellerText as words } from './text.ts'

const { fields } = words
const cards = sellerDisplays.map((value) => ({ value, ...words.displays[value] }))

type Values = Record<
  'display' | 'name' | 'address' | 'phone' | 'email' | 'hours' | 'registration_number' | 'registered_on',
  string
>

/** What is typed stays on this page: an address is not stored on the device. */
export function OwnSellerForm({ seller: { stored, legal_name: legalName } }: { seller: OwnSeller }) {
  const client = useQueryClient()
  const defaults: Values = {
    display: stored?.display ?? 'on_request',
    name: stored?.name ?? legalName,
    address: stored?.address ?? '',
    phone: stored?.phone ?? '',
    email: stored?.email ?? '',
    hours: stored?.hours ?? '',
    registration_number: stored?.registration_number ?? '',
    registered_on: stored?.registered_on ?? '',
  }
  const form = useSchemaForm({
    schema: ownSellerForm,
    defaults,
    submit: async (body) => {
      client.setQueryData(ownSellerQuery.queryKey, await call(putOwnSeller, { body }))
      toast(words.saved, 'success')
      // Requests that waited are answered now.
      void client.invalidateQueries(queriesOf(listSellerRequests))
      void client.invalidateQueries(queriesOf(getSeller))
    },
  })
  return (
    <Form {...form.shell} action={words.save} busyLabel={text.working}>
      <FormField of={form} name="display">
        {({ value, onChange }) => (
          <div>
            <p className="mb-1.5 text-sm font-semibold">{words.display}</p>
            <RadioCards<SellerDisplay>
              label={words.display}
              value={value as SellerDisplay}
              onChange={onChange}
              cards={cards}
            />
          </div>
        )}
      </FormField>
      <Line form={form} name="name" hint={fields.nameHint} autoComplete="name" />
      <Line form={form} name="address" hint={fields.addressHint} autoComplete="street-address" />
      <Line form={form} name="phone" hint={fields.phoneHint} autoComplete="tel" inputMode="tel" />
      <Line form={form} name="email" hint={fields.emailHint} autoComplete="off" inputMode="email" />
      <Line form={form} name="hours" hint={fields.hoursHint} autoComplete="off" optional={fields.optional} />
      <Registration form={form} />
    </Form>
  )
}

/** The number of qualified invoices, and since when it is valid. */
function Registration({ form }: { form: SchemaForm<Values> }) {
  return (
    <>
      <Line
        form={form}
        name="registration_number"
        hint={fields.registrationHint}
        autoComplete="off"
        optional={fields.optional}
      />
      <Line
        form={form}
        name="registered_on"
        type="date"
        hint={fields.registeredHint}
        autoComplete="off"
        optional={fields.optional}
      />
    </>
  )
}

type LineProps = Pick<
  ComponentProps<typeof TextField>,
  'hint' | 'autoComplete' | 'inputMode' | 'optional' | 'type'
> & {
  form: SchemaForm<Values>
  name: Exclude<keyof Values, 'display'>
}

function Line({ form, name, ...rest }: LineProps) {
  return (
    <FormField of={form} name={name}>
      {({ error, input }) => <TextField {...rest} {...input} label={fields[name]} error={error} />}
    </FormField>
  )
}
