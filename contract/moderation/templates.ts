// Templates of the texts that staff send with a decision.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { nameText } from '#contract/rules.ts'
import { writtenText } from './decisions.ts'
import { MAX_DECISION_TEXT, MAX_TEMPLATE_NAME, templateUses } from './measures.ts'

/** Most templates of the operator. */
export const MAX_TEMPLATES = 100

const fields = {
  use: v.picklist(templateUses),
  name: v.pipe(nameText(MAX_TEMPLATE_NAME), v.nonEmpty('required')),
  text: writtenText(MAX_DECISION_TEXT),
}
export const templateView = v.object({
  id,
  use: fields.use,
  name: v.string(),
  text: v.string(),
  changed_at: instant,
})
export type TemplateView = v.InferOutput<typeof templateView>

/** All templates, by name. */
export const listTemplates = endpoint({
  name: 'listTemplates',
  method: 'GET',
  path: '/admin/templates',
  audience: 'staff:reports',
  summary: '文面のテンプレート',
  reply: v.object({ templates: v.array(templateView) }),
  errors: ['unauthenticated', 'not_found'],
})

/** Adds a template with an id of the device, or replaces it. `conflict`: there are 100 already. */
export const saveTemplate = endpoint({
  name: 'saveTemplate',
  method: 'PUT',
  path: '/admin/templates/:template_id',
  audience: 'staff:reports',
  summary: 'テンプレートを保存します',
  params: v.object({ template_id: id }),
  body: v.object(fields),
  reply: v.object({ template: templateView }),
  errors: ['unauthenticated', 'not_found', 'conflict'],
})

export const removeTemplate = endpoint({
  name: 'removeTemplate',
  method: 'DELETE',
  path: '/admin/templates/:template_id',
  audience: 'staff:reports',
  summary: 'テンプレートを削除します',
  params: v.object({ template_id: id }),
  reply: v.object({ removed: v.literal(true) }),
  errors: ['unauthenticated', 'not_found'],
})
