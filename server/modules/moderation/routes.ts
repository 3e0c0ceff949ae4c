// Routes of cases, decisions, appeals, templates, inquiries, holds and the transparency page.
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#server/deps.ts'
import { caseRoutes } from './case-routes.ts'
import { holdRoutes } from './hold-routes.ts'
import { inquiryAuthorRoutes } from './inquiry-author.ts'
import { inquiryRoutes } from './inquiry-routes.ts'
import { inquirySenderRoutes } from './inquiry-sender.ts'
import { ownDecisionRoutes } from './own-routes.ts'
import { personRoutes } from './person-routes.ts'
import { templateRoutes } from './template-routes.ts'
import { transparencyRoutes } from './transparency.ts'
import { wordRoutes } from './word-routes.ts'

export function moderationRoutes(app: FastifyInstance, deps: Deps): void {
  caseRoutes(app, deps)
  personRoutes(app, deps)
  templateRoutes(app, deps)
  ownDecisionRoutes(app, deps)
  holdRoutes(app, deps)
  wordRoutes(app, deps)
  inquirySenderRoutes(app, deps)
  inquiryAuthorRoutes(app, deps)
  inquiryRoutes(app, deps)
  transparencyRoutes(app, deps)
}
