// Routes of cases, decisions, appeals, templates, holds and blocked words.
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#server/deps.ts'
import { caseRoutes } from './case-routes.ts'
import { holdRoutes } from './hold-routes.ts'
import { ownDecisionRoutes } from './own-routes.ts'
import { templateRoutes } from './template-routes.ts'
import { wordRoutes } from './word-routes.ts'

export function moderationRoutes(app: FastifyInstance, deps: Deps): void {
  caseRoutes(app, deps)
  templateRoutes(app, deps)
  ownDecisionRoutes(app, deps)
  holdRoutes(app, deps)
  wordRoutes(app, deps)
}
