// Routes of staff for the templates of decision texts.
import type { FastifyInstance } from 'fastify'
import {
  listTemplates,
  MAX_TEMPLATES,
  removeTemplate,
  saveTemplate,
  type TemplateView,
} from '#contract/moderation/templates.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { memberRoute } from '#server/http/route.ts'
import {
  dropTemplate,
  listTemplateRows,
  lockTemplates,
  putTemplate,
  type TemplateRow,
} from '#server/store/moderation/templates.ts'

const viewOf = ({ id, use, name, text, changedAt }: TemplateRow): TemplateView => ({
  id,
  use,
  name,
  text,
  changed_at: changedAt.toISOString(),
})

export function templateRoutes(app: FastifyInstance, { db, clock, transaction }: Deps): void {
  memberRoute(app, listTemplates, async () => ({ templates: (await listTemplateRows(db)).map(viewOf) }))

  memberRoute(app, saveTemplate, ({ viewer, params, body, request }) =>
    transaction(async ({ tx, audit }) => {
      const id = params.template_id
      if ((await lockTemplates(tx, id)) >= MAX_TEMPLATES) throw new ApiError('conflict')
      const row = { id, ...body, changedAt: new Date(clock()) }
      await putTemplate(tx, row)
      const subject = { subjectKind: 'template', subjectId: id } as const
      audit({ actorId: viewer.id, act: 'template.save', ...subject, ip: request.ip })
      return { template: viewOf(row) }
    }),
  )

  memberRoute(app, removeTemplate, ({ viewer, params, request }) =>
    transaction(async ({ tx, audit }) => {
      const id = params.template_id
      if (!(await dropTemplate(tx, id))) throw new ApiError('not_found')
      const subject = { subjectKind: 'template', subjectId: id } as const
      audit({ actorId: viewer.id, act: 'template.remove', ...subject, ip: request.ip })
      return { removed: true as const }
    }),
  )
}
