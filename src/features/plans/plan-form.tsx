// NewPlanForm: creates a plan. PlanForm: changes one.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { newId } from '#contract/ids.ts'
import { addPlan, changePlan, type OwnPlan } from '#contract/plans/plans.ts'
import { call } from '#src/domain/api/api.ts'
import { useSchemaForm } from '#src/domain/forms/form.tsx'
import { text } from '#src/domain/text/text.ts'
import { useNavigateIfShown } from '#src/lib/use-navigate-if-shown.ts'
import { Form } from '#src/ui/fields/form.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { useOpenings } from './openings.tsx'
import { PlanFields } from './plan-fields.tsx'
import { PlanPictureField } from './plan-picture.tsx'
import { newValues, ownPlansQuery, planForm, valuesOf } from './plans.ts'
import { planText } from './text.ts'
import { useNewPicture, usePlanPicture } from './use-plan-picture.ts'

const words = planText.form

/** Reads again what shows plans: the own list and profiles. */
function usePlansChanged() {
  const client = useQueryClient()
  return async () => {
    await client.invalidateQueries({ queryKey: ownPlansQuery.queryKey })
    void client.invalidateQueries({ queryKey: ['getProfile'] })
  }
}

interface NewPlanFormProps {
  /** Called with the id of the new plan. */
  onCreated: (id: string) => void
  /** Called when the plan was created, and its picture was not stored. */
  onWithoutPicture: (id: string) => void
}

export function NewPlanForm({ onCreated, onWithoutPicture }: NewPlanFormProps) {
  // The same id for every try, so that a reply that was lost leaves one plan.
  const [id] = useState(newId)
  const ifShown = useNavigateIfShown()
  const changed = usePlansChanged()
  const { picture, sendTo } = useNewPicture()
  const { confirm, dialog } = useOpenings(words.create)
  const form = useSchemaForm({
    schema: planForm,
    defaults: newValues,
    note: 'plan-new',
    submit: async (values) => {
      const proceed = ifShown(() => onCreated(id))
      const mend = ifShown(() => onWithoutPicture(id))
      if (!(await confirm({ id, ...values }))) return words.unsaved
      await call(addPlan, { body: { id, ...values } })
      const isComplete = await sendTo(id)
      await changed()
      toast(isComplete ? words.created : words.pictureFailed, isComplete ? 'success' : 'error')
      if (isComplete) proceed()
      else mend()
      return undefined
    },
  })
  return (
    <>
      <PlanPictureField picture={picture} />
      <div className="px-4 pt-5 pb-16 rail:px-6">
        <Form {...form.shell} action={words.create} busyLabel={text.working}>
          <PlanFields form={form} hasMembers={false} />
        </Form>
      </div>
      {dialog}
    </>
  )
}

export function PlanForm({ plan, onSaved }: { plan: OwnPlan; onSaved: () => void }) {
  const ifShown = useNavigateIfShown()
  const changed = usePlansChanged()
  const { confirm, dialog } = useOpenings(words.save)
  const form = useSchemaForm({
    schema: planForm,
    defaults: valuesOf(plan),
    note: `plan-${plan.id}`,
    submit: async (values) => {
      const proceed = ifShown(onSaved)
      const isOffered = values.price !== plan.price || values.opens_cheaper !== plan.opens_cheaper
      if (isOffered && !(await confirm({ id: plan.id, ...values }))) return words.unsaved
      await call(changePlan, { params: { plan_id: plan.id }, body: values })
      await changed()
      toast(words.saved, 'success')
      proceed()
      return undefined
    },
  })
  return (
    <div className="px-4 pt-5 pb-8 rail:px-6">
      <Form {...form.shell} action={words.save} busyLabel={text.working}>
        <PlanFields form={form} hasMembers={plan.member_count > 0} />
      </Form>
      {dialog}
    </div>
  )
}

/** The picture of a plan that exists. */
export function OwnPlanPicture({ planId }: { planId: string }) {
  return <PlanPictureField picture={usePlanPicture(planId)} />
}
